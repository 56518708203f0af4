import { expect } from "vitest";
import { sagas } from "../../../statemachines/index.ts";
import { wrongInBooks } from "../books.ts";
import { siteAfter } from "../save-site.ts";
import { openSite, type Site, type Wire } from "../site.ts";
import { expectNodes, type Sizes } from "./cluster-checks.ts";
import type { End, Scenario, Seen, Stage, Subject } from "./stage.ts";

/** The sagas of clusters in the matrix: through the API, on a site with simulated systems. */

interface ClusterScenario extends Omit<Scenario, "open"> {
  /** Brings a site to where the saga can start, and answers the cluster if there is one. */
  before(site: Site): Promise<string>;
  /** Starts the saga and answers the cluster. */
  start(site: Site, id: string): Promise<string>;
  /** What the cluster has when the saga succeeded, or gave up. */
  nodes: { done: Sizes; undone: Sizes };
}

const scenarios: Record<string, ClusterScenario> = {
  "cluster-create": {
    // Its template brings no test workload.
    quiet: ["ValidateCluster"],
    before: empty,
    start: (site) => site.order("c1"),
    nodes: { done: { workers: 2 }, undone: {} },
  },
  "cluster-delete": {
    before: ready,
    start: async (site, id) => {
      await site.api("DELETE", `clusters/${id}`);
      return id;
    },
    nodes: { done: {}, undone: {} },
  },
  "cluster-scale": {
    before: readyOfTwo,
    start: async (site, id) => {
      const node_sets = { workers: { size: 3 }, gpu: { host_type: "h100", size: 1 } };
      await site.api("PATCH", `clusters/${id}`, { spec: { node_sets } });
      return id;
    },
    nodes: { done: { workers: 3, gpu: 1 }, undone: { workers: 2, infra: 1 } },
  },
  // Nobody joins: what attaches and reserves has nothing to do, and nothing to give back.
  "cluster-scale-down": {
    saga: "cluster-scale",
    quiet: ["AttachHosts", "Undo AttachHosts", "Undo ReserveHosts"],
    before: readyOfTwo,
    start: async (site, id) => {
      const node_sets = { workers: { size: 1 } };
      await site.api("PATCH", `clusters/${id}`, { spec: { node_sets } });
      return id;
    },
    nodes: { done: { workers: 1 }, undone: { workers: 2, infra: 1 } },
  },
  "cluster-upgrade": {
    // As above; and what has arrived is not withdrawn.
    quiet: ["ValidateCluster", "Undo UpgradeControlPlane", "Undo UpgradeNodeSets"],
    before: readyOfTwo,
    start: async (site, id) => {
      await site.api("PATCH", `clusters/${id}`, { spec: { version: "4-18-1" } });
      return id;
    },
    // It stops where it is; `expectNodes` sees to it that this is somewhere.
    nodes: { done: { workers: 2, infra: 1 }, undone: { workers: 2, infra: 1 } },
  },
};

async function empty(): Promise<string> {
  return "";
}

async function ready(site: Site, spec = {}): Promise<string> {
  const id = await site.order("c1", spec);
  await site.settled(id);
  return id;
}

/** Of two node sets, with another host type to choose. */
async function readyOfTwo(site: Site): Promise<string> {
  await site.admin("POST", "cluster_templates", {
    id: "mixed",
    metadata: { name: "mixed" },
    node_sets: {
      workers: { host_type: "fc430", size: 2 },
      infra: { host_type: "fc430", size: 1 },
    },
    allowed_host_types: ["h100"],
  });
  return ready(site, { template: "mixed" });
}

export const clusters: Subject = {
  sagas,
  scenarios: Object.fromEntries(
    Object.entries(scenarios).map(([name, { before, start, nodes, ...scenario }]) => [
      name,
      {
        ...scenario,
        async open(options) {
          const { site, brought } = await siteAfter(before, options);
          return stageOn(site, nodes, () => start(site, brought));
        },
      },
    ]),
  ),
};

const systems = ["hub", "fabric", "dns", "storage"] as const;

function stageOn(site: Site, nodes: ClusterScenario["nodes"], start: Stage["start"]): Stage {
  const sizesAt = (end: End): Sizes => (end === "gone" ? {} : nodes[end]);
  const hostsAt = (end: End): number =>
    Object.values(sizesAt(end)).reduce((sum, size) => sum + size, 0);
  return {
    laptop: site.laptop,
    start,
    putAside() {
      const from = site.saved();
      return async (options) => stageOn(await openSite({ ...options, from }), nodes, start);
    },
    async newest(id) {
      const { body } = await site.api("GET", "operations");
      const found = body.items.findLast(
        ({ spec }: Wire) => id === undefined || spec.target.id === id,
      );
      return found && seen(found);
    },
    async cancel(operation) {
      const { status } = await site.api("POST", `operations/${operation}/cancel`);
      return status === 200;
    },
    async resume(operation) {
      expect((await site.api("POST", `operations/${operation}/resume`)).status).toBe(200);
    },
    async remove(id) {
      expect((await site.api("DELETE", `clusters/${id}`)).status).toBe(200);
    },
    async withFault(fault, request, send) {
      const operation = `${request.method} ${new URL(request.url).pathname}`;
      for (const target of systems) site.world.faults.add({ target, operation, ...fault });
      try {
        return await send();
      } finally {
        site.world.faults.clear();
      }
    },
    async wrong(_, end) {
      const owned = site.owned().filter((thing) => /^host /i.test(thing)).length;
      const hosts = hostsAt(end);
      const count = owned === hosts ? [] : [`${owned} hosts are owned, not ${hosts}`];
      return [...(await wrongInBooks(site)), ...count];
    },
    async expectEnd(id, end) {
      if (end === "gone") expect((await site.api("GET", `clusters/${id}`)).status).toBe(404);
      if (hostsAt(end) > 0) await expectNodes(site, id, sizesAt(end));
    },
  };
}

const seen = ({ id, status }: Wire): Seen => ({
  id,
  state: status.state.replace("OPERATION_STATE_", ""),
  ...(status.failure && { failure: status.failure }),
  steps: Object.fromEntries(status.steps.map(({ name, state }: Wire) => [name, state])),
});
