import { expect } from "vitest";
import { sagas } from "../../../statemachines/index.ts";
import { wrongInBooks } from "../books.ts";
import { addServerWithDpus, dpuOf } from "../dpus.ts";
import { withMetal } from "../managed-hosts.ts";
import { siteAfter } from "../save-site.ts";
import { openSite, type Site, type Wire } from "../site.ts";
import { accepted } from "./cluster-worlds.ts";
import { seenIn } from "./seen.ts";
import type { Stage, Subject } from "./stage.ts";
import { withFaultAt } from "./with-fault.ts";

/** The saga of DPUs in the matrix: through the API, on a site with simulated servers and DPUs. */

/** A server with a DPU, of whose host the other DPU is still missing, so that nobody else has it provisioned. */
async function withDpu(site: Site): Promise<string> {
  await withMetal(site);
  return added(site, 1);
}

async function added(site: Site, number: number): Promise<string> {
  const { dpus } = await addServerWithDpus(site, number, { missing: 1 });
  return dpus[0] ?? "";
}

export const dpus: Subject = {
  sagas,
  changes: {
    "dpu-provision": {
      "a DPU": {
        again: true,
        never: {
          "a delete": "a DPU at work is not deleted",
          "a new wish": "the work of a DPU follows from its state",
        },
        async open(options) {
          const { site, brought } = await siteAfter(withDpu, options);
          return stageOn(site, brought);
        },
      },
    },
  },
};

function stageOn(site: Site, dpu: string): Stage {
  const operations = async (id: string | undefined): Promise<Wire[]> => {
    const { items } = (await site.admin("GET", "operations")).body;
    return items.filter(({ spec }: Wire) =>
      id === undefined ? spec.target.kind === "dpu" : spec.target.id === id,
    );
  };
  const refuse = (): never => {
    throw new Error("a DPU cannot be asked for this");
  };
  const provision = async (id: string) => accepted(await site.admin("POST", `dpus/${id}/retry`));
  return {
    laptop: site.laptop,
    async start() {
      await provision(dpu);
      return dpu;
    },
    async orderNeighbour() {
      const id = await added(site, 2);
      await provision(id);
      const isMade = async () => (await dpuOf(site, id)).isProvisioned === true;
      return { id, expectMade: () => site.laptop.until(isMade, "the other DPU") };
    },
    putAside() {
      const from = site.saved();
      return async (options) => stageOn(await openSite({ ...options, from }), dpu);
    },
    async newest(id) {
      const found = (await operations(id)).at(-1);
      return found && seenIn(found);
    },
    operation: async (id) => seenIn((await site.admin("GET", `operations/${id}`)).body),
    async cancel(operation) {
      const { status } = await site.admin("POST", `operations/${operation}/cancel`);
      return status === 200;
    },
    async resume(operation) {
      accepted(await site.admin("POST", `operations/${operation}/resume`));
    },
    remove: refuse,
    wish: refuse,
    again: provision,
    withFault: withFaultAt(site, ["bmc"]),
    wrong: () => wrongInBooks(site),
    async expectEnd(id, end) {
      const { status, quarantine, wanted, applied } = await dpuOf(site, id);
      expect(status.state).toBe(end === "done" ? "DPU_STATE_READY" : "DPU_STATE_QUARANTINED");
      if (end === "done") expect(applied?.version).toBe(wanted?.version);
      else expect(quarantine?.reason).not.toBe("");
    },
  };
}
