import { expect } from "vitest";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { clusterLabel, nodeSetLabel } from "../../../core/ports/hub/clusters/labels.ts";
import { releaseOf } from "../../../core/resources/cluster-version/release.ts";
import { recordsIn } from "../records.ts";
import type { Site, Wire } from "../site.ts";

/** What a cluster must be like after a saga, here and on its hub. */

/** How many nodes a cluster has in each node set; it has no other node sets. */
export type Sizes = Record<string, number>;

/** What is wished for, what is reported and what its hub has are these node sets; the cluster is well. */
export async function expectNodes(site: Site, id: string, nodes: Sizes): Promise<void> {
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
  const pools = onHubs(site, id, "NodePool");
  const named = pools.map(({ metadata, spec }): [string, Wire] => [
    metadata.labels[nodeSetLabel] ?? metadata.name,
    spec,
  ]);
  expect(sizesBy(named, ({ replicas }) => replicas)).toEqual(nodes);
  await expectReleases(site, id);
}

/**
 * Each port of a cluster in a tenant's subnet has just the groups that its record says. `names`: those of its order,
 * where they are known.
 */
export async function expectGroups(site: Site, id: string, names?: string[]): Promise<void> {
  const cluster = await mustLoad(recordsIn(site.laptop.store), "cluster", id);
  const { stands_in, spec, infra_id } = cluster;
  expect(cluster).not.toHaveProperty("regrouping");
  if (!stands_in) return;
  const ordered = spec.network_attachment?.security_groups.map(({ name }) => name);
  if (names) expect(ordered).toEqual(names);
  const ports = site.world.site.fabric.read(({ records }) =>
    records
      .all("port")
      .filter(({ name }) => name.startsWith(`slipway-${infra_id}-`))
      .map((port) => port.security_groups.map((one) => records.get("security_group", one)?.name)),
  );
  expect(ports.length).toBeGreaterThan(0);
  const wanted = stands_in.groups.map((group) => `slipway-${group}`).toSorted();
  for (const groups of ports) expect(groups.toSorted()).toEqual(wanted);
}

/** A cluster that has got what it was to get holds no host in maintenance any more. */
export async function expectReplaced(site: Site, id: string): Promise<void> {
  const { items } = (await site.admin("GET", "hosts")).body;
  const held = items.filter(({ status }: Wire) => status.owner?.id === id && status.maintenance);
  expect(held).toEqual([]);
}

/**
 * What the hub runs is what the record says it was told, and it has arrived there; the spec names
 * the version of the control plane.
 */
async function expectReleases(site: Site, id: string): Promise<void> {
  const { laptop } = site;
  const cluster = await mustLoad(recordsIn(laptop.store), "cluster", id);
  expect(cluster).not.toHaveProperty("upgrade");
  const version = await mustLoad(
    recordsIn(laptop.store),
    "cluster_version",
    cluster.spec.version.id,
  );
  expect(version.spec).toMatchObject(cluster.release);
  for (const { spec, status } of onHubs(site, id, "HostedCluster")) {
    expect(spec.release.image).toBe(cluster.release.image);
    expect(status.version.history[0]).toMatchObject({ ...cluster.release, state: "Completed" });
  }
  for (const { metadata, spec, status } of onHubs(site, id, "NodePool")) {
    const release = releaseOf(cluster, metadata.labels[nodeSetLabel]);
    expect(spec.release.image).toBe(release.image);
    expect(status.version).toBe(release.version);
  }
}

/** What is a cluster's of these objects. */
const onHubs = ({ world }: Site, id: string, kind: string): Wire[] =>
  world
    .hubs()
    .flatMap((hub) => hub.cluster.list(kind))
    .filter(({ metadata }) => metadata.labels?.[clusterLabel] === id);

const sizesBy = (sets: [string, Wire][], sizeOf: (set: Wire) => number): Sizes =>
  Object.fromEntries(sets.map(([name, set]) => [name, sizeOf(set)]));
