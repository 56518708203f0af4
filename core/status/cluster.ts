import { timestamp } from "../clock.ts";
import type {
  Cluster,
  ClusterConditionType,
  ClusterState,
  ClusterStatus,
} from "../model/cluster.ts";
import { conditions, type Finding } from "../model/condition.ts";
import { awaited } from "./operators.ts";

/**
 * Status from named sources: the control plane, the node sets, the cluster operators, the
 * operation's outcome. Each keeps its reason and message; the worst one wins. Rules after
 * reference/hub.md §5. Pure; every write of a cluster computes it anew.
 */
export function clusterStatus(cluster: Cluster, now: number): ClusterStatus {
  const before = cluster.status;
  const sources = [controlPlane(cluster), nodes(cluster), operators(cluster)];
  const worst = sources.find((source) => source.status !== true) ?? sources[0] ?? notYet;
  const state = stateOf(cluster);
  const healthy = sources.every((source) => source.status === true);
  const endpoint = cluster.observed.control_plane?.endpoint;
  const short = (type: string): ClusterConditionType =>
    `CLUSTER_CONDITION_TYPE_${type}` as ClusterConditionType;

  const findings = Object.fromEntries(
    Object.entries({
      PROGRESSING: progressing(cluster, worst),
      READY: ready(state, worst, healthy),
      FAILED: failed(cluster),
      DEGRADED: degraded(cluster, worst, healthy),
      CLUSTER_AVAILABLE: sources[0] ?? notYet,
      NODES_READY: sources[1] ?? notYet,
      INFRASTRUCTURE_READY: infrastructure(cluster),
      TEMPLATE_APPLIED: template(cluster),
    } satisfies Record<string, Finding>).map(([type, finding]) => [short(type), finding]),
  ) as Record<ClusterConditionType, Finding>;

  return {
    state,
    conditions: conditions(before.conditions, findings, now),
    state_transition_time: before.state === state ? before.state_transition_time : timestamp(now),
    ...(cluster.published && endpoint
      ? { api_url: `https://${endpoint.host}:${endpoint.port}` }
      : {}),
    ...(cluster.published && cluster.console_url ? { console_url: cluster.console_url } : {}),
    ...(endpoint ? { api_endpoint: endpoint.host } : {}),
    node_sets: Object.fromEntries(
      Object.entries(cluster.spec.node_sets).map(([name, set]) => {
        const pool = cluster.observed.node_pools[name];
        const replicas = pool?.gone ? 0 : (pool?.replicas ?? 0);
        return [
          name,
          { host_type: set.host_type, size: replicas, ready: pool?.ready ? replicas : 0 },
        ];
      }),
    ),
    ...(cluster.failure ? { failure: cluster.failure } : {}),
    ...(cluster.metadata.deletion_timestamp ? { remaining: remaining(cluster) } : {}),
  };
}

/** The status of a cluster that was just accepted; `clusterStatus` fills it in. */
export function emptyStatus(now: number): ClusterStatus {
  return {
    state: "CLUSTER_STATE_PROGRESSING",
    conditions: [],
    state_transition_time: timestamp(now),
    node_sets: {},
  };
}

const notYet: Finding = { status: false, reason: "NotYet" };

function stateOf(cluster: Cluster): ClusterState {
  if (cluster.metadata.deletion_timestamp) {
    return cluster.failure?.step.startsWith("Undo ")
      ? "CLUSTER_STATE_DELETE_FAILED"
      : "CLUSTER_STATE_DELETING";
  }
  if (cluster.published) return "CLUSTER_STATE_READY";
  return cluster.failure ? "CLUSTER_STATE_FAILED" : "CLUSTER_STATE_PROGRESSING";
}

function controlPlane({ placement, observed }: Cluster): Finding {
  const seen = observed.control_plane;
  if (!placement)
    return { status: false, reason: "NotPlaced", message: "waits for a hub and hosts" };
  if (!seen || seen.gone)
    return { status: false, reason: "NotDeployed", message: "the control plane is not deployed" };
  if (seen.refusal) return { status: false, reason: "Refused", message: seen.refusal };
  if (!seen.available)
    return { status: false, reason: "WaitingForControlPlane", message: seen.message };
  if (seen.degraded)
    return { status: false, reason: "ControlPlaneDegraded", message: seen.message };
  return { status: true, reason: "Available" };
}

function nodes({ spec, observed }: Cluster): Finding {
  const behind = Object.entries(spec.node_sets).flatMap(([name, set]) => {
    const pool = observed.node_pools[name];
    const have = pool?.gone ? 0 : (pool?.replicas ?? 0);
    if (have === set.size && (set.size === 0 || pool?.ready)) return [];
    return [`${name}: ${have} of ${set.size}${pool?.message ? `, ${pool.message}` : ""}`];
  });
  if (behind.length > 0)
    return { status: false, reason: "NodesMissing", message: behind.join("; ") };
  return { status: true, reason: "AllNodesReady" };
}

function operators({ observed }: Cluster): Finding {
  const seen = observed.operators;
  if (!seen)
    return {
      status: "unknown",
      reason: "NotAsked",
      message: "cluster operators were not asked yet",
    };
  const unavailable = awaited(seen.unavailable);
  if (unavailable.length > 0) {
    return { status: false, reason: "OperatorsUnavailable", message: unavailable.join("; ") };
  }
  return { status: true, reason: "AllAvailable" };
}

function progressing(cluster: Cluster, worst: Finding): Finding {
  if (cluster.metadata.deletion_timestamp) {
    return {
      status: true,
      reason: "Deleting",
      message: `what remains: ${remaining(cluster).join(", ")}`,
    };
  }
  if (cluster.operation === undefined) return { status: false, reason: "NothingToDo" };
  return { status: true, reason: worst.reason, message: worst.message ?? "" };
}

function ready(state: ClusterState, worst: Finding, healthy: boolean): Finding {
  if (state === "CLUSTER_STATE_READY")
    return { status: true, reason: healthy ? "Ready" : "ReadyOnce" };
  return { status: false, reason: worst.reason, message: worst.message ?? "" };
}

function failed({ failure }: Cluster): Finding {
  if (!failure) return { status: false, reason: "NoFailure" };
  return { status: true, reason: failure.kind, message: `${failure.step}: ${failure.message}` };
}

/** Only a cluster that was READY can be degraded; while it is changed, missing nodes are no sign of it. */
function degraded(cluster: Cluster, worst: Finding, healthy: boolean): Finding {
  if (!cluster.published || cluster.operation !== undefined || healthy)
    return { status: false, reason: "AsExpected" };
  return { status: true, reason: worst.reason, message: worst.message ?? "" };
}

function infrastructure({ placement }: Cluster): Finding {
  if (!placement)
    return { status: false, reason: "NotPlaced", message: "waits for a hub and hosts" };
  return { status: true, reason: "HostsReserved", message: `on hub ${placement.hub}` };
}

function template({ published }: Cluster): Finding {
  return published ? { status: true, reason: "Applied" } : { status: false, reason: "InProgress" };
}

/** What a deletion still has to take away. */
function remaining({ observed, placement }: Cluster): string[] {
  const list: string[] = [];
  if (observed.control_plane && !observed.control_plane.gone) list.push("hosted cluster");
  const pools = Object.entries(observed.node_pools).filter(([, pool]) => !pool.gone);
  list.push(...pools.map(([name]) => `node pool ${name}`));
  const hosts = Object.values(placement?.hosts ?? {}).flat().length;
  if (hosts > 0) list.push(`${hosts} hosts`);
  return list;
}
