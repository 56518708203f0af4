import {
  type Cluster,
  type Failure,
  type NodeSets,
  wantedNodeSets,
} from "../../core/resources/cluster/model.ts";

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

/** All of it is where it was to go. */
export function upgraded(cluster: Cluster): Cluster {
  const { upgrade: _, ...rest } = settledAt(cluster);
  return rest;
}

/**
 * As far as it came, and it says why it stopped. The spec says what the control plane runs: only
 * where that was never told of the other version, the spec goes back.
 */
export function upgradedSoFar(cluster: Cluster, failure: Failure, cancelled: boolean): Cluster {
  const { upgrade, ...rest } = cluster;
  const stopped = cancelled ? rest : { ...rest, failure };
  const from = upgrade?.from;
  const stayed = from !== undefined && rest.release.image === from.release.image;
  if (!stayed || rest.spec.version.id === from.version.id) return stopped;
  const spec = { ...rest.spec, version: from.version };
  return { ...stopped, generation: rest.generation + 1, spec };
}

/** Without the records of other node sets, which have no hosts and no node pool any more. */
function withOnly(cluster: Cluster, nodeSets: NodeSets): Cluster {
  const { placement, observed, node_set_releases, ...rest } = cluster;
  const behind = Object.entries(node_set_releases ?? {}).filter(([set]) =>
    Object.hasOwn(nodeSets, set),
  );
  const hosts = Object.entries(placement?.hosts ?? {}).filter(
    ([set, held]) => Object.hasOwn(nodeSets, set) || held.length > 0,
  );
  const pools = Object.entries(observed.node_pools).filter(
    ([set, pool]) => Object.hasOwn(nodeSets, set) || !pool.gone,
  );
  return {
    ...rest,
    ...(behind.length > 0 && { node_set_releases: Object.fromEntries(behind) }),
    ...(placement && { placement: { ...placement, hosts: Object.fromEntries(hosts) } }),
    observed: { ...observed, node_pools: Object.fromEntries(pools) },
  };
}
