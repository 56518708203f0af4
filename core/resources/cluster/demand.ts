import type { Demand, Placing, Want } from "../../placement/demand.ts";
import { type Cluster, knownNodeSets, type NodeSets } from "./model.ts";
import { queuesOf } from "./queues.ts";

/** What a cluster asks of a hub, as placement understands it: each node set is a set of hosts. */

/** With these node sets; every other one that the cluster knows is to have no hosts any more. */
function wantsOf(cluster: Cluster, nodeSets: NodeSets): Want[] {
  const all = { ...nodeSets, ...knownNodeSets(cluster), ...nodeSets };
  return Object.entries(all).map(([set, { host_type }]) => ({
    set,
    hostType: host_type.name,
    count: nodeSets[set]?.size ?? 0,
  }));
}

/** What a cluster demands that is to have these node sets. */
export const demandFor =
  (nodeSets: NodeSets) =>
  (cluster: Cluster): Demand => {
    const { kind, id, metadata, spec, applied } = cluster;
    return {
      owner: { kind, id, tenant: metadata.tenant },
      wants: wantsOf(cluster, nodeSets),
      where: { ...spec.placement },
      ...(applied && { inUse: sizesOf(applied) }),
      queues: queuesOf(cluster),
    };
  };

const sizesOf = (nodeSets: NodeSets): Record<string, number> =>
  Object.fromEntries(Object.entries(nodeSets).map(([set, { size }]) => [set, size]));

/** With its place a cluster is at its hub's site, and with the place it leaves it. */
export const clusterPlacing: Placing<"cluster"> = {
  kind: "cluster",
  placed(cluster, placement, hub) {
    const { site = hub.spec.site && { id: hub.spec.site, parts: {} } } = cluster;
    return { ...cluster, placement, ...(site && { site }) };
  },
  unplaced: ({ placement: _, site: __, ...bare }) => bare,
};
