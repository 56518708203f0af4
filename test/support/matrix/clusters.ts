import { siteAfter } from "../save-site.ts";
import type { Site, SiteOptions } from "../site.ts";

/** What brings each saga to run, for the matrix. */

/** How many nodes a cluster has in each node set; it has no other node sets. */
export type Sizes = Record<string, number>;

interface Scenario {
  /** What it runs, where that is not its own name. */
  saga?: string;
  /** States that change nothing outside here, while they may elsewhere. */
  quiet?: string[];
  /** Brings a site to where the saga can start, and answers the cluster if there is one. */
  before(site: Site): Promise<string>;
  /** Starts the saga and answers the cluster. */
  start(site: Site, id: string): Promise<string>;
  /** What the cluster has when the saga succeeded, or gave up. */
  nodes: { done: Sizes; undone: Sizes };
}

export const scenarios: Record<string, Scenario> = {
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
    // It stops where it is; `expectReleases` sees to it that this is somewhere.
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

/** Opens a site on which nothing is left to do but to start the scenario's saga. */
export async function staged(
  { before, start }: Scenario,
  options: SiteOptions,
): Promise<{ site: Site; start: () => Promise<string> }> {
  const { site, brought } = await siteAfter(before, options);
  return { site, start: () => start(site, brought) };
}
