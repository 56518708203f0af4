import { describe, expect, it } from "vitest";
import type { PortRecord } from "../../../sim/fabric/records.ts";
import type { FabricState } from "../../../sim/fabric/state.ts";
import { seeded } from "../../support/random.ts";
import { type Question, randomWorld } from "../../support/random-packets.ts";
import { seed } from "../../support/seed.ts";
import { program, trace } from "./ovn.ts";

/** A real OVN is asked what the simulated fabric is asked: test/live/ovn.sh starts one. */
const runs = Number(process.env.FUZZ_RUNS ?? 3);

describe("a real OVN", () => {
  if (!process.env.OVN_NB_DB) {
    it.skip("skipped: OVN_NB_DB is not set (test/live/ovn.sh)");
    return;
  }
  it("takes every packet where the simulated fabric takes it, and no other packet", async () => {
    const arrived: string[] = [];
    for (let one = seed; one < seed + runs; one++) {
      const { world, questions } = await randomWorld(seeded(one));
      const { sim } = world.test;
      program(sim.state);
      const answers = questions.map(({ from, to, protocol, port }) => {
        const fate = sim.reaches(from, to, protocol, port);
        return fate.arrives ? `${fate.at} from ${fate.source}` : nowhere;
      });
      const asked = questions.map((question) => JSON.stringify(question));
      const judged = questions.map((question) => judge(sim.state, question));
      const again = `the same again: FUZZ_RUNS=1 SEED=${one} npm run test:live -- ovn`;
      expect(
        asked.map((question, n) => `${question}: ${answers[n]}`),
        again,
      ).toEqual(asked.map((question, n) => `${question}: ${judged[n]}`));
      arrived.push(...answers.filter((answer) => answer !== nowhere));
    }
    expect(arrived).not.toEqual([]);
  });
});

const nowhere = "nowhere";

/** Where OVN takes a packet, in the words of the fabric. */
function judge(state: FabricState, { from, to, ...rest }: Question): string {
  const sender = "nic" in from ? portOf(state, from.nic) : "outside";
  const destination = "nic" in to ? addressOf(portOf(state, to.nic), 4) : to.address;
  const version = destination.includes(":") ? 6 : 4;
  const source = "address" in from ? from.address : addressOf(portOf(state, from.nic), version);
  const traced = trace(state, { from: sender, source, destination, ...rest });
  if (!traced) return nowhere;
  const at = state.records.get("port", traced.at)?.mac_address ?? destination;
  const isElsewhere = "nic" in to && at !== to.nic;
  return isElsewhere ? nowhere : `${at} from ${traced.source}`;
}

function portOf(state: FabricState, mac: string): PortRecord {
  const port = state.records.all("port").find(({ mac_address }) => mac_address === mac);
  if (!port) throw new Error(`no port has ${mac}`);
  return port;
}

const addressOf = ({ fixed_ips }: PortRecord, version: 4 | 6): string =>
  fixed_ips.find(({ ip_address }) => ip_address.includes(":") === (version === 6))?.ip_address ??
  "";
