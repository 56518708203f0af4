import { AppError } from "../../error.ts";
import type { Failure } from "../../kernel/object/failure.ts";
import type { Ending } from "../../kernel/saga/operated.ts";
import { type Cluster, type NodeSets, wantedNodeSets } from "./model.ts";
import type { ClusterSagaName } from "./sagas.ts";

/** The cluster as an operation leaves it, in the write that ends the operation. */

interface Ends {
  succeeded(cluster: Cluster): Cluster | "archive";
  failed(cluster: Cluster, failure: Failure, cancelled: boolean): Cluster;
}

const ends: Record<ClusterSagaName, Ends> = {
  "cluster-create": {
    succeeded: settledAt,
    failed: (cluster, failure) => ({ ...cluster, published: false, failure }),
  },
  "cluster-delete": {
    succeeded: () => "archive",
    failed: (cluster, failure) => ({ ...cluster, failure }),
  },
  "cluster-scale": { succeeded: settledAt, failed: backToFormer },
  "cluster-upgrade": { succeeded: upgraded, failed: upgradedSoFar },
};

/** What the end of a saga means for its cluster, which has no operation any more. */
export function endedCluster(
  cluster: Cluster,
  { saga, failure, cancelled }: Ending,
): Cluster | "archive" {
  if (!isOfClusters(saga)) throw new AppError("Internal", `${saga} is no saga on clusters`);
  const { succeeded, failed } = ends[saga];
  const after = failure ? failed(cluster, failure, cancelled) : succeeded(cluster);
  return after === "archive" ? after : atRest(after);
}

const isOfClusters = (saga: string): saga is ClusterSagaName => Object.hasOwn(ends, saga);

const atRest = ({ operation, applying, queued, ...rest }: Cluster): Cluster => rest;

/** It has what was asked for; a failure of before is history. */
function settledAt(cluster: Cluster): Cluster {
  const { failure: _, ...healthy } = cluster;
  const nodeSets = wantedNodeSets(cluster);
  return { ...withOnly(healthy, nodeSets), applied: nodeSets };
}

/** At its old node sets, and it says why. While a newer wish is queued the spec stays that one's. */
function backToFormer(cluster: Cluster, failure: Failure, cancelled: boolean): Cluster {
  const { applied = {} } = cluster;
  const former = withOnly(cancelled ? cluster : { ...cluster, failure }, applied);
  if (cluster.queued !== undefined) return former;
  const spec = { ...cluster.spec, node_sets: applied };
  return { ...former, generation: cluster.generation + 1, spec };
}

/** All of it is where it was to go. */
function upgraded(cluster: Cluster): Cluster {
  const { upgrade: _, ...rest } = settledAt(cluster);
  return rest;
}

/**
 * As far as it came, and it says why it stopped. The spec says what the control plane runs: only
 * where that was never told of the other version, the spec goes back.
 */
function upgradedSoFar(cluster: Cluster, failure: Failure, cancelled: boolean): Cluster {
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
