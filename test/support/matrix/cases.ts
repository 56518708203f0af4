import { afterAll, beforeAll, expect } from "vitest";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { clusterLabel, nodeSetLabel } from "../../../core/ports/hub/clusters/labels.ts";
import { releaseOf } from "../../../core/resources/cluster-version/release.ts";
import { wrongInBooks } from "../books.ts";
import { recordsIn } from "../records.ts";
import type { Site, Wire } from "../site.ts";
import type { Sizes } from "./clusters.ts";
import type { Share } from "./share.ts";

/** How a case of the matrix is judged. */

const counts = { cases: 0, lost: 0, leaked: 0, stuck: 0 };

/** Once all cases of a file have ended. */
export function printCounts(name: string, share: Share): void {
  beforeAll(() => {
    Object.assign(counts, { cases: 0, lost: 0, leaked: 0, stuck: 0 });
  });
  afterAll(() => {
    const { cases, lost, leaked, stuck } = counts;
    console.log(
      `${name}: ${share}; cases ${cases}, lost ${lost}, leaked ${leaked}, stuck ${stuck} (each expected)`,
    );
  });
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
  const cluster = await mustLoad(recordsIn(laptop.store), "cluster", id);
  expect(cluster).not.toHaveProperty("upgrade");
  const version = await mustLoad(
    recordsIn(laptop.store),
    "cluster_version",
    cluster.spec.version.id,
  );
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
