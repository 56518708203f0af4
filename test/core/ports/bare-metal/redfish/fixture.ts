import {
  type RedfishOptions,
  RedfishServer,
} from "../../../../../core/ports/bare-metal/redfish/redfish.ts";
import { SimulatedBmcs } from "../../../../../sim/bmc/bmcs.ts";
import { profiles, type VendorName } from "../../../../../sim/bmc/profiles.ts";
import { openDatabase } from "../../../../../sim/database.ts";
import { Faults } from "../../../../../sim/faults.ts";
import { seeded } from "../../../../support/random.ts";
import { RecordedFetch } from "../../../../support/recorded-fetch.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import type { BareMetalFixture } from "../contract.ts";
import { startsOf } from "../starts.ts";

const id = "4c4c4544-0042-4b10-8051-b4c04f303133";
const macs = ["52:54:00:12:34:56", "52:54:00:12:34:57"];

/** A server of a vendor simulated in virtual time, and the adapter on its controller. */
export function redfishFixture(vendor: VendorName) {
  const clock = new VirtualClock();
  const database = openDatabase(":memory:");
  const faults = new Faults(database);
  const sim = new SimulatedBmcs({ database, clock, wall: clock, random: seeded(1), faults });
  sim.add({ id, controller: "bmc.test", vendor, serial: "CN7016", macs });
  const network = new RecordedFetch(sim.handle);
  const { username, password } = sim.credential;
  const { system } = profiles[vendor];
  const adapter = (options: Partial<RedfishOptions> = {}) =>
    new RedfishServer({
      address: `redfish://bmc.test/redfish/v1/Systems/${system}`,
      credential: async () => ({ username, password }),
      authentication: "basic",
      wall: clock,
      timeout: 10_000,
      fetch: network.fetch,
      ...options,
    });
  const machine = () => sim.machines.get(id);
  const fixture: BareMetalFixture = {
    server: adapter(),
    stranger: adapter({ credential: async () => ({ username, password: "a-wrong-password" }) }),
    faults,
    power: `POST /redfish/v1/Systems/${system}/Actions/`,
    secrets: [
      password,
      "a-wrong-password",
      Buffer.from(`${username}:${password}`).toString("base64"),
    ],
    run: (call) => clock.until(call),
    pass: (ms) => clock.advance(ms),
    booted: () => machine()?.booted,
    starts: startsOf(sim.machines),
    macs,
    sources: ["media", "network", "http", "disk"],
    bootsOnce: true,
    shown: (image) => image,
  };
  return { ...fixture, sim, clock, database, network, adapter, machine, id };
}
