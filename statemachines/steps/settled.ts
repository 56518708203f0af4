import {
  type Cluster,
  type Failure,
  type NodeSets,
  wantedNodeSets,
} from "../../core/model/cluster.ts";

/** The cluster as an operation leaves it, in the write that ends the operation. */

/** It has what was asked for; a failure of before is history. */
export function settledAt(cluster: Cluster): Cluster {
  const { failure: _, ...healthy } = cluster;
  const nodeSets = wantedNodeSets(cluster);
  return { ...withOnly(healthy, nodeSets), applied: nodeSets };
}

/** At its old node sets, and it says why. While a newer wish is queued the spec stays that one's. */
export function backToFormer(cluster: Cluster, failure: Failure, cancelled: boolean): Cluster {
  const { applied = {} } = cluster;
  const former = withOnly(cancelled ? cluster : { ...cluster, failure }, applied);
  if (cluster.queued !== undefined) return former;
  const spec = { ...cluster.spec, node_sets: applied };
  return { ...former, generation: cluster.generation + 1, spec };
}

/** Without the records of other node sets, which have no hosts and no node pool any more. */
function withOnly(cluster: Cluster, nodeSets: NodeSets): Cluster {
  const { placement, observed } = cluster;
  const hosts = Object.entries(placement?.hosts ?? {}).filter(
    ([set, held]) => Object.hasOwn(nodeSets, set) || held.length > 0,
  );
  const pools = Object.entries(observed.node_pools).filter(
    ([set, pool]) => Object.hasOwn(nodeSets, set) || !pool.gone,
  );
  return {
    ...cluster,
    ...(placement && { placement: { ...placement, hosts: Object.fromEntries(hosts) } }),
    observed: { ...observed, node_pools: Object.fromEntries(pools) },
  };
}
