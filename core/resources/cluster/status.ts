import type { Progress } from "../../at-site/at-site.ts";
import { outsideOf, siteParts } from "../../at-site/at-site.ts";
import { timestamp } from "../../clock.ts";
import { conditions, conditionsOfTrouble, type Finding } from "../../kernel/object/condition.ts";
import { failureText, hasFailedDeletion } from "../../kernel/object/lifecycle.ts";
import { recordNames } from "./dns-names.ts";
import { certificateFinding } from "./ingress-certificate.ts";
import {
  type Cluster,
  type ClusterConditionType,
  type ClusterState,
  type ClusterStatus,
  knownNodeSets,
} from "./model.ts";
import { awaitedOperators } from "./operators.ts";
import { replacedOf } from "./replacing.ts";
import { upgradeStatus, upgrading } from "./upgrade.ts";

/**
 * Computes the status from named sources: the control plane, the node sets, the cluster operators, the
 * operation's result. Each source keeps its reason and message; the worst one counts. The rules follow
 * docs/reference/hub.md §5. Pure; every write of a cluster computes the status again.
 */
export function clusterStatus(cluster: Cluster, now: number): ClusterStatus {
  const before = cluster.status;
  const sources = {
    infrastructure: infrastructure(cluster),
    controlPlane: controlPlane(cluster),
    nodes: nodes(cluster),
    template: template(cluster),
    operators: operators(cluster),
  };
  const all = Object.values(sources);
  const worst = all.find((source) => source.status !== true) ?? sources.controlPlane;
  const state = stateOf(cluster);
  const healthy = all.every((source) => source.status === true);
  const plane = cluster.observed.control_plane;
  const { endpoint, version } = plane && !plane.gone ? plane : {};
  const upgrade = upgradeStatus(cluster);
  const failure = cluster.stuck ?? cluster.failure;
  const short = (type: string): ClusterConditionType =>
    `CLUSTER_CONDITION_TYPE_${type}` as ClusterConditionType;

  const findings = Object.fromEntries(
    Object.entries({
      PROGRESSING: progressing(cluster, worst),
      READY: ready(state, worst, healthy),
      FAILED: failed(cluster),
      DEGRADED: degraded(cluster, worst, healthy),
      CLUSTER_AVAILABLE: sources.controlPlane,
      NODES_READY: sources.nodes,
      INFRASTRUCTURE_READY: sources.infrastructure,
      TEMPLATE_APPLIED: sources.template,
    } satisfies Record<string, Finding>).map(([type, finding]) => [short(type), finding]),
  ) as Record<ClusterConditionType, Finding>;
  const troubles = { [short("CERTIFICATE_VALID")]: certificateFinding(cluster) } as typeof findings;
  const { conditions: trouble = [] } = conditionsOfTrouble(before.conditions, troubles, now);

  return {
    state,
    conditions: [...conditions(before.conditions, findings, now), ...trouble],
    state_transition_time: before.state === state ? before.state_transition_time : timestamp(now),
    ...(cluster.published && endpoint
      ? { api_url: `https://${endpoint.host}:${endpoint.port}` }
      : {}),
    ...(cluster.published && cluster.console_url ? { console_url: cluster.console_url } : {}),
    ...(endpoint ? { api_endpoint: endpoint.host } : {}),
    ...siteStatus(cluster),
    // Includes node sets that are being removed, as long as they have nodes.
    node_sets: Object.fromEntries(
      Object.entries(knownNodeSets(cluster)).map(([name, set]) => {
        const pool = cluster.observed.node_pools[name];
        const replicas = pool?.gone ? 0 : (pool?.replicas ?? 0);
        return [
          name,
          {
            host_type: set.host_type,
            size: replicas,
            ready: pool?.ready ? replicas : 0,
            ...(pool?.version === undefined ? {} : { version: pool.version }),
          },
        ];
      }),
    ),
    ...(version === undefined ? {} : { version }),
    ...(upgrade ? { upgrade } : {}),
    ...(failure ? { failure } : {}),
    ...(cluster.metadata.deletion_timestamp ? { remaining: remaining(cluster) } : {}),
  };
}

/** The part of the cluster's record at its site that tenants see. */
function siteStatus({ site }: Cluster): Pick<ClusterStatus, SiteMember> {
  if (!site) return {};
  const { network, domain, parts } = site;
  const outside = outsideOf(site);
  return {
    ...(network && {
      network: {
        prefix: network.prefix,
        gateway: network.gateway,
        dns_servers: network.dns_servers,
        ...(site.vlan === undefined ? {} : { vlan: site.vlan }),
      },
    }),
    ...(network &&
      outside && {
        addresses: {
          api: { external: outside.api, internal: network.api },
          ingress: { external: outside.ingress, internal: network.ingress },
        },
        ingress_endpoint: outside.ingress,
      }),
    ...(domain === undefined ? {} : { dns_names: recordNames(domain) }),
    ...(parts.storage && { storage: { state: parts.storage.state } }),
  };
}

type SiteMember = "network" | "addresses" | "ingress_endpoint" | "dns_names" | "storage";

/** The status of a new cluster, before `clusterStatus` computes it. */
export function newClusterStatus(now: number): ClusterStatus {
  return {
    state: "CLUSTER_STATE_PROGRESSING",
    conditions: [],
    state_transition_time: timestamp(now),
    node_sets: {},
  };
}

function stateOf(cluster: Cluster): ClusterState {
  if (cluster.metadata.deletion_timestamp) {
    return hasFailedDeletion(cluster) ? "CLUSTER_STATE_DELETE_FAILED" : "CLUSTER_STATE_DELETING";
  }
  if (cluster.published) return "CLUSTER_STATE_READY";
  return cluster.failure ? "CLUSTER_STATE_FAILED" : "CLUSTER_STATE_PROGRESSING";
}

function controlPlane({ placement, failure, observed }: Cluster): Finding {
  const seen = observed.control_plane;
  if (!placement) return unplaced(failure);
  if (!seen || seen.gone)
    return { status: false, reason: "NotDeployed", message: "the control plane is not deployed" };
  if (seen.refusal) return { status: false, reason: "Refused", message: seen.refusal };
  if (!seen.available)
    return { status: false, reason: "WaitingForControlPlane", message: seen.message };
  if (seen.degraded)
    return { status: false, reason: "ControlPlaneDegraded", message: seen.message };
  return { status: true, reason: "Available" };
}

/**
 * A cluster without a placement waits for one, or has failed and released it; then the failure is the reason.
 */
function unplaced(failure: Cluster["failure"]): Finding {
  if (!failure) return { status: false, reason: "NotPlaced", message: "waits for a hub and hosts" };
  return { status: false, ...wordsOf(failure) };
}

const wordsOf = (failure: NonNullable<Cluster["failure"]>) => ({
  reason: failure.kind,
  message: failureText(failure),
});

function nodes(cluster: Cluster): Finding {
  const { spec, observed } = cluster;
  const behind = Object.keys(knownNodeSets(cluster)).flatMap((name) => {
    const size = spec.node_sets[name]?.size ?? 0;
    const pool = observed.node_pools[name];
    const have = pool?.gone ? 0 : (pool?.replicas ?? 0);
    if (have === size && (size === 0 || pool?.ready)) return [];
    // During a replacement the pool is larger and not ready, although the set has all its nodes.
    if (have >= size && replacedOf(cluster, name) > 0) return [];
    return [`${name}: ${have} of ${size}${pool?.message ? `, ${pool.message}` : ""}`];
  });
  if (behind.length > 0)
    return { status: false, reason: "NodesMissing", message: behind.join("; ") };
  return { status: true, reason: "AllNodesReady" };
}

function operators(cluster: Cluster): Finding {
  const { observed } = cluster;
  const seen = observed.operators;
  if (!seen)
    return {
      status: "unknown",
      reason: "NotAsked",
      message: "cluster operators were not asked yet",
    };
  const unavailable = awaitedOperators(seen.unavailable, cluster);
  if (unavailable.length > 0) {
    return { status: false, reason: "OperatorsUnavailable", message: unavailable.join("; ") };
  }
  return { status: true, reason: "AllAvailable" };
}

function progressing(cluster: Cluster, worst: Finding): Finding {
  const { stuck, failure } = cluster;
  if (stuck) return { status: false, ...wordsOf(stuck) };
  if (failure && hasFailedDeletion(cluster)) return { status: false, ...wordsOf(failure) };
  if (cluster.metadata.deletion_timestamp) {
    return {
      status: true,
      reason: "Deleting",
      message: `what remains: ${remaining(cluster).join(", ")}`,
    };
  }
  if (cluster.operation === undefined) return { status: false, reason: "NothingToDo" };
  const upgrade = cluster.upgrade && upgradeStatus(cluster);
  if (upgrade) return upgrading(upgrade, cluster);
  return { status: true, reason: worst.reason, message: worst.message ?? "" };
}

function ready(state: ClusterState, worst: Finding, healthy: boolean): Finding {
  if (state === "CLUSTER_STATE_READY")
    return { status: true, reason: healthy ? "Ready" : "ReadyOnce" };
  return { status: false, reason: worst.reason, message: worst.message ?? "" };
}

/** A cluster is READY after a failed change, and not READY after a failed deletion. Both keep the failure. */
function failed(cluster: Cluster): Finding {
  const { stuck, failure, published } = cluster;
  const ofState = published ? undefined : failure;
  const why = hasFailedDeletion(cluster) ? (stuck ?? failure) : ofState;
  return why ? { status: true, ...wordsOf(why) } : { status: false, reason: "NoFailure" };
}

/** Only a cluster that was READY can be degraded; missing nodes during a change do not count. */
function degraded(cluster: Cluster, worst: Finding, healthy: boolean): Finding {
  if (!cluster.published || cluster.operation !== undefined || healthy)
    return { status: false, reason: "AsExpected" };
  return { status: true, reason: worst.reason, message: worst.message ?? "" };
}

const partNames: Record<(typeof siteParts)[number], string> = {
  layer2: "layer 2 network",
  layer3: "layer 3 network",
  attachments: "switch ports",
  floating_ips: "floating IPs",
  dns_records: "DNS records",
  storage: "storage",
};

/** The state of the hub and the hosts, and of the parts at the site: network, addresses, names, storage. */
function infrastructure({ placement, failure, site, published, operation }: Cluster): Finding {
  if (!placement) return unplaced(failure);
  const open = site && siteParts.find((part) => site.parts[part]?.state !== "done");
  if (!open) return { status: true, reason: "Ready" };
  const { state = "pending", message = "not begun" } = site.parts[open] ?? {};
  return {
    status: false,
    reason: reasonOf(state, published && operation === undefined),
    message: `${partNames[open]}: ${message}`,
  };
}

/** A complete part that no longer agrees with the record has drifted. */
function reasonOf(state: Progress["state"], isAtRest: boolean): string {
  if (state === "failed") return "SiteRefused";
  return isAtRest ? "SiteDrifted" : "SiteInPreparation";
}

/** Whether the template's content is in the cluster and the template's test has passed. */
function template({ published, observed }: Cluster): Finding {
  const { configuration, validation } = observed;
  const open = [configuration, validation].find((part) => part?.state !== "done");
  if (published || (configuration && validation && !open))
    return { status: true, reason: "Applied" };
  if (open?.state === "failed") return { status: false, reason: "Refused", message: open.message };
  return { status: false, reason: "InProgress", message: open?.message ?? "not begun" };
}

/** The objects that a deletion has yet to remove. */
function remaining({ observed, placement, site }: Cluster): string[] {
  const list: string[] = [];
  if (observed.control_plane && !observed.control_plane.gone) list.push("hosted cluster");
  const pools = Object.entries(observed.node_pools).filter(([, pool]) => !pool.gone);
  list.push(...pools.map(([name]) => `node pool ${name}`));
  const hosts = Object.values(placement?.hosts ?? {}).flat().length;
  const parts = siteParts.filter((part) => site?.parts[part] !== undefined);
  list.push(...parts.toReversed().map((part) => partNames[part]));
  if (hosts > 0) list.push(`${hosts} hosts`);
  return list;
}
