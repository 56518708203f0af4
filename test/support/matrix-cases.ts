import { afterAll, expect } from "vitest";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { clusterLabel, nodeSetLabel } from "../../core/ports/hub/clusters/labels.ts";
import { releaseOf } from "../../core/resources/cluster-version/release.ts";
import { wrongInBooks } from "./books.ts";
import type { Site, Wire } from "./site.ts";

/** What the cases of the matrix share: what brings a saga to run, and how a case is judged. */

/** How many nodes a cluster has in each node set; it has no other node sets. */
type Sizes = Record<string, number>;

interface Scenario {
  /** What it runs, where that is not its own name. */
  saga?: string;
  /** States that change nothing outside here, while they do in other scenarios of their saga. */
  quiet?: string[];
  /** Answers the cluster; `begin` is called just before what starts the saga is asked. */
  start(site: Site, begin?: () => void): Promise<string>;
  /** What the cluster has when the saga succeeded, or gave up. */
  nodes: { done: Sizes; undone: Sizes };
}

export const scenarios: Record<string, Scenario> = {
  "cluster-create": {
    start: (site, begin) => {
      begin?.();
      return site.order("c1");
    },
    nodes: { done: { workers: 2 }, undone: {} },
  },
  "cluster-delete": {
    start: async (site, begin) => {
      const id = await ready(site);
      begin?.();
      await site.api("DELETE", `clusters/${id}`);
      return id;
    },
    nodes: { done: {}, undone: {} },
  },
  "cluster-scale": {
    start: async (site, begin) => {
      const id = await ready(site, { template: await mixedTemplate(site) });
      begin?.();
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
    start: async (site, begin) => {
      const id = await ready(site, { template: await mixedTemplate(site) });
      begin?.();
      const node_sets = { workers: { size: 1 } };
      await site.api("PATCH", `clusters/${id}`, { spec: { node_sets } });
      return id;
    },
    nodes: { done: { workers: 1 }, undone: { workers: 2, infra: 1 } },
  },
  "cluster-upgrade": {
    start: async (site, begin) => {
      const id = await ready(site, { template: await mixedTemplate(site) });
      begin?.();
      await site.api("PATCH", `clusters/${id}`, { spec: { version: "4-18-1" } });
      return id;
    },
    // It stops where it is; `expectReleases` sees to it that this is somewhere.
    nodes: { done: { workers: 2, infra: 1 }, undone: { workers: 2, infra: 1 } },
  },
};

/** Two node sets, and another host type to choose. */
async function mixedTemplate(site: Site): Promise<string> {
  await site.admin("POST", "cluster_templates", {
    id: "mixed",
    metadata: { name: "mixed" },
    node_sets: {
      workers: { host_type: "fc430", size: 2 },
      infra: { host_type: "fc430", size: 1 },
    },
    allowed_host_types: ["h100"],
  });
  return "mixed";
}

const counts = { cases: 0, lost: 0, leaked: 0, stuck: 0 };

/** Once all cases of a file have ended. */
export function printCounts(name: string): void {
  afterAll(() => {
    const { cases, lost, leaked, stuck } = counts;
    console.log(
      `${name}: cases ${cases}, lost ${lost}, leaked ${leaked}, stuck ${stuck} (each expected)`,
    );
  });
}

async function ready(site: Site, spec = {}): Promise<string> {
  const id = await site.order("c1", spec);
  await site.settled(id);
  return id;
}

/** Ends the case: counts it, and finds everything in order. */
export async function closeBooks(site: Site, id: string, nodes: Sizes): Promise<void> {
  counts.cases += 1;
  await site.laptop.pass(10 * 60_000);
  const wrong = await wrongInBooks(site);
  const owned = site.owned().filter((thing) => /^host /i.test(thing)).length;
  const hosts = Object.values(nodes).reduce((sum, size) => sum + size, 0);
  if (wrong.length > 0 || owned !== hosts) counts.leaked += 1;
  expect(wrong).toEqual([]);
  expect(owned).toBe(hosts);
  if (hosts > 0) await expectNodes(site, id, nodes);
}

/** What is wished for, what is reported and what its hub has are these node sets; the cluster is well. */
async function expectNodes(site: Site, id: string, nodes: Sizes): Promise<void> {
  const { spec, status } = await site.cluster(id);
  expect(status.state).toBe("CLUSTER_STATE_READY");
  expect(status.conditions).toContainEqual(
    expect.objectContaining({
      type: "CLUSTER_CONDITION_TYPE_INFRASTRUCTURE_READY",
      status: "CONDITION_STATUS_TRUE",
    }),
  );
  expect(sizesBy(Object.entries(spec.node_sets), ({ size }) => size)).toEqual(nodes);
  expect(sizesBy(Object.entries(status.node_sets), ({ ready }) => ready)).toEqual(nodes);
  const pools = site.world.hubs().flatMap(({ cluster }) => cluster.list("NodePool"));
  const named = pools.map(({ metadata, spec }): [string, Wire] => [
    metadata.labels?.[nodeSetLabel] ?? metadata.name,
    spec,
  ]);
  expect(sizesBy(named, ({ replicas }) => replicas)).toEqual(nodes);
  await expectReleases(site, id);
}

/**
 * What the hub runs is what the record says it was told, and it has arrived there; the spec names
 * the version of the control plane.
 */
async function expectReleases({ laptop, world }: Site, id: string): Promise<void> {
  const cluster = await mustLoad(laptop.store, "cluster", id);
  expect(cluster).not.toHaveProperty("upgrade");
  const version = await mustLoad(laptop.store, "cluster_version", cluster.spec.version.id);
  expect(version.spec).toMatchObject(cluster.release);
  const on = (kind: string) =>
    world
      .hubs()
      .flatMap((hub) => hub.cluster.list(kind))
      .filter(({ metadata }) => metadata.labels?.[clusterLabel] === id) as Wire[];
  for (const { spec, status } of on("HostedCluster")) {
    expect(spec.release.image).toBe(cluster.release.image);
    expect(status.version.history[0]).toMatchObject({ ...cluster.release, state: "Completed" });
  }
  for (const { metadata, spec, status } of on("NodePool")) {
    const release = releaseOf(cluster, metadata.labels[nodeSetLabel]);
    expect(spec.release.image).toBe(release.image);
    expect(status.version).toBe(release.version);
  }
}

const sizesBy = (sets: [string, Wire][], sizeOf: (set: Wire) => number): Sizes =>
  Object.fromEntries(sets.map(([name, set]) => [name, sizeOf(set)]));

export async function ended(site: Site, id: string): Promise<Wire> {
  const operation = await site.settled(id);
  if (!/SUCCEEDED|FAILED|CANCELLED|STUCK/.test(operation.status.state)) counts.lost += 1;
  return operation;
}

export async function resume(site: Site, id: string, stuck: Wire): Promise<Wire> {
  counts.stuck += 1;
  expect((await site.api("POST", `operations/${stuck.id}/resume`)).status).toBe(200);
  await site.laptop.pass(60_000);
  return ended(site, id);
}
