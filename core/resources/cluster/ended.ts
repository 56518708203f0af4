import { AppError } from "../../error.ts";
import type { Failure } from "../../kernel/object/failure.ts";
import type { Ending } from "../../kernel/saga/operated.ts";
import { notRenewed, renewed } from "./ingress-certificate.ts";
import { type Cluster, type NodeSets, wantedNodeSets } from "./model.ts";
import { withGroups } from "./regrouping.ts";
import type { ClusterSagaName } from "./sagas.ts";

/** The changes of a cluster at the end of its operation. */

interface Ends {
  succeeded(cluster: Cluster, at: string): Cluster | "archive";
  failed(cluster: Cluster, failure: Failure, cancelled: boolean, at: string): Cluster;
}

const ends: Record<ClusterSagaName, Ends> = {
  "cluster-create": {
    succeeded: (cluster, at) => renewed(settledAt(cluster), at),
    failed: ({ ingress_certificate: _, ...cluster }, failure) => ({
      ...{ ...cluster, published: false, failure },
    }),
  },
  "cluster-delete": {
    succeeded: () => "archive",
    failed: (cluster, failure) => ({ ...cluster, failure }),
  },
  "cluster-scale": { succeeded: settledAt, failed: backToPrevious },
  "cluster-upgrade": { succeeded: upgraded, failed: upgradedSoFar },
  "cluster-networking": { succeeded: regrouped, failed: backToGroups },
  // A failed renewal becomes a condition of the cluster, since `failure` is for the operations that a tenant
  // requests.
  "cluster-renew": {
    succeeded: renewed,
    failed: (cluster, failure, _, at) => notRenewed(cluster, failure, at),
  },
};

/** The cluster at the end of a saga, without an operation. */
export function endedCluster(
  cluster: Cluster,
  { saga, at, failure, cancelled }: Ending,
): Cluster | "archive" {
  if (!isOfClusters(saga)) throw new AppError("Internal", `${saga} is no saga on clusters`);
  const { succeeded, failed } = ends[saga];
  const after = failure ? failed(cluster, failure, cancelled, at) : succeeded(cluster, at);
  return after === "archive" ? after : atRest(after);
}

const isOfClusters = (saga: string): saga is ClusterSagaName => Object.hasOwn(ends, saga);

const atRest = ({ operation, applying, replacing, queued, ...rest }: Cluster): Cluster => rest;

/** After a success: the desired node sets count as applied, and an earlier failure is cleared. */
function settledAt(cluster: Cluster): Cluster {
  const { failure: _, ...healthy } = cluster;
  const nodeSets = wantedNodeSets(cluster);
  return { ...withOnly(healthy, nodeSets), applied: nodeSets };
}

/**
 * After a failed change: the cluster returns to its previous node sets and keeps the failure. If a newer change
 * is queued, the spec keeps its values.
 */
function backToPrevious(cluster: Cluster, failure: Failure, cancelled: boolean): Cluster {
  const { applied = {} } = cluster;
  const previous = withOnly(cancelled ? cluster : { ...cluster, failure }, applied);
  if (cluster.queued !== undefined) return previous;
  const spec = { ...cluster.spec, node_sets: applied };
  return { ...previous, generation: cluster.generation + 1, spec };
}

/** After a change of its security groups. */
function regrouped(cluster: Cluster): Cluster {
  const { regrouping: _, ...rest } = settledAt(cluster);
  return rest;
}

/** After a failed change of its security groups: the cluster returns to the previous groups. */
function backToGroups(cluster: Cluster, failure: Failure, cancelled: boolean): Cluster {
  const { regrouping, ...rest } = cancelled ? cluster : { ...cluster, failure };
  const [from] = regrouping?.from ?? [];
  return from ? { ...withGroups(rest, from), generation: rest.generation + 1 } : rest;
}

/** After a completed upgrade: every part has the new release. */
function upgraded(cluster: Cluster): Cluster {
  const { upgrade: _, ...rest } = settledAt(cluster);
  return rest;
}

/**
 * After an upgrade that stopped: the upgraded parts keep the new version, and the failure is kept. The version
 * in the spec is that of the control plane.
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

/** The cluster without the records of other node sets, which have no hosts and no node pool any more. */
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
