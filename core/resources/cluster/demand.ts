import type { Demand, Placing, Want } from "../../placement/choose/demand.ts";
import { type Cluster, knownNodeSets, type NodeSets } from "./model.ts";
import { clusterQueues } from "./queues.ts";
import { namesReplaced } from "./replacing.ts";

/** A cluster's demand in the terms of placement: each node set is a set of hosts. */

/** The number of hosts for these node sets; zero for the cluster's other node sets. */
function wantsOf(cluster: Cluster, nodeSets: NodeSets): Want[] {
  const all = { ...nodeSets, ...knownNodeSets(cluster), ...nodeSets };
  return Object.entries(all).map(([set, { host_type }]) => ({
    set,
    hostType: host_type.name,
    count: nodeSets[set]?.size ?? 0,
  }));
}

/** The demand of a cluster with these node sets. */
export const demandFor =
  (nodeSets: NodeSets) =>
  (cluster: Cluster): Demand => {
    const { kind, id, metadata, spec, applied, stands_in, automatic_ips } = cluster;
    const site = stands_in?.site ?? automatic_ips?.site;
    const replaced = namesReplaced(cluster);
    return {
      owner: { kind, id, tenant: metadata.tenant },
      wants: wantsOf(cluster, nodeSets),
      slot: true,
      where: { ...spec.placement, ...(site !== undefined && { site }) },
      ...(replaced.length > 0 && { purpose: `to replace ${hostsNamed(replaced)}` }),
      ...(applied && { inUse: sizesOf(applied) }),
      queues: clusterQueues(cluster),
    };
  };

const hostsNamed = (names: string[]): string =>
  `${names.length === 1 ? "host" : "hosts"} ${names.join(", ")}`;

const sizesOf = (nodeSets: NodeSets): Record<string, number> =>
  Object.fromEntries(Object.entries(nodeSets).map(([set, { size }]) => [set, size]));

/** A cluster is at its hub's site; without a placement it is at no site. */
export const clusterPlacing: Placing<"cluster"> = {
  kind: "cluster",
  placed(cluster, placement, hub) {
    const { site = hub.spec.site && { id: hub.spec.site, parts: {} } } = cluster;
    return { ...cluster, placement, ...(site && { site }) };
  },
  unplaced: ({ placement: _, site: __, ...bare }) => bare,
};
