import { isDeepStrictEqual } from "node:util";
import ipaddr from "ipaddr.js";
import * as z from "zod";
import { clusterLabel, nodeSetLabel } from "../../ports/hub/clusters/labels.ts";
import type { News } from "../../ports/hub/news.ts";
import type { ObservedAgent } from "../host/model.ts";
import { type Condition, Conditions } from "../hub/conditions.ts";
import type { ObservedControlPlane, ObservedNodePool, Source } from "./model.ts";

/** What a hub's objects mean to us. Pure; `now` is an RFC 3339 timestamp of the deployment's clock. */

/** User input that the operator refuses: each of these conditions being False. */
const refusals = [
  "ValidConfiguration",
  "SupportedHostedCluster",
  "ValidReleaseImage",
  "PlatformCredentialsFound",
  "ValidReleaseInfo",
] as const;

/** What a control plane waits for, the most telling first. */
const waits = [
  "InfrastructureReady",
  "EtcdAvailable",
  "KubeAPIServerAvailable",
  "Available",
] as const;

const named = z.object({ name: z.string().min(1) });
const completed = "Completed";

const hostedClusterStatus = z.object({
  controlPlaneEndpoint: z
    .object({ host: z.string(), port: z.number() })
    .optional()
    .catch(undefined),
  kubeconfig: named.optional().catch(undefined),
  kubeadminPassword: named.optional().catch(undefined),
  version: z
    .object({
      /** Newest first. */
      history: z.array(z.object({ state: z.string(), version: z.string().optional() })).catch([]),
    })
    .catch({ history: [] }),
});

/** A HostedCluster. `previous` is what was last observed of the same order. */
export function observedControlPlane(
  news: News,
  previous: ObservedControlPlane | undefined,
  now: string,
): ObservedControlPlane {
  const status = hostedClusterStatus.parse(news.object.status ?? {});
  const conditions = new Conditions(news);
  const { history } = status.version;
  const version = history.find(({ state }) => state === completed)?.version;
  const rollingTo = history.find(({ state }, n) => n === 0 && state !== completed)?.version;
  const upgradeable = conditions.get("ClusterVersionUpgradeable");
  const endpoint = status.controlPlaneEndpoint;
  const refused = refusals.map((type) => conditions.get(type)).find(isFalse);
  const refusal = refused && words(refused);
  // Until the operator has seen a change of the order, what it said before it still holds.
  const before = conditions.current ? undefined : previous;
  const observed = {
    ...sourceOf(news, now),
    gone: news.deleted,
    available: !news.deleted && (before?.available ?? conditions.is("Available", "True")),
    degraded: !news.deleted && (before?.degraded ?? conditions.is("Degraded", "True")),
    version_completed: history[0]?.state === completed,
    message: controlPlaneMessage(news, conditions, history[0]?.state === completed, refused),
  };
  return {
    ...observed,
    ...(version !== undefined && { version }),
    ...(rollingTo !== undefined && { rolling_to: rollingTo }),
    ...(isFalse(upgradeable) && { not_upgradeable: words(upgradeable) }),
    ...(endpoint && endpoint.host !== "" && endpoint.port > 0 && { endpoint }),
    ...(status.kubeconfig && { kubeconfig_secret: status.kubeconfig.name }),
    ...(status.kubeadminPassword && { password_secret: status.kubeadminPassword.name }),
    // By our own clock: the hub's may be another.
    ...(refusal !== undefined && { refusal, refused_since: previous?.refused_since ?? now }),
  };
}

const nodePoolStatus = z.object({
  replicas: z.number().catch(0),
  version: z.string().optional().catch(undefined),
});

/** A NodePool. It is ready at the size that was asked for, with all nodes healthy. */
export function observedNodePool(news: News, now: string): ObservedNodePool {
  const status = nodePoolStatus.parse(news.object.status ?? {});
  const desired = z.number().catch(0).parse(news.object.spec?.replicas);
  const conditions = new Conditions(news);
  const updating =
    conditions.is("UpdatingVersion", "True") || conditions.is("UpdatingConfig", "True");
  // An empty pool has no nodes that could be healthy.
  const healthy = desired === 0 || conditions.is("AllNodesHealthy", "True");
  const ready = !news.deleted && status.replicas === desired && healthy;
  return {
    ...sourceOf(news, now),
    gone: news.deleted,
    desired,
    replicas: status.replicas,
    ready,
    ...(status.version !== undefined && { version: status.version }),
    // Before the operator has seen this generation, its version is that of another one.
    version_completed: conditions.current && status.version !== undefined && !updating,
    message:
      ready && !updating
        ? ""
        : nodePoolMessage(news, conditions, `${status.replicas} of ${desired} nodes`),
  };
}

const agentStatus = z.object({
  debugInfo: z
    .object({ state: z.string().catch(""), stateInfo: z.string().catch("") })
    .catch({ state: "", stateInfo: "" }),
  inventory: z
    .object({
      interfaces: z
        .array(
          z.object({
            macAddress: z.string().optional(),
            ipV4Addresses: z.array(z.string()).nullish(),
            ipV6Addresses: z.array(z.string()).nullish(),
          }),
        )
        .catch([]),
    })
    .catch({ interfaces: [] }),
});

/** An Agent: assisted-service's object of a discovered host. */
export function observedAgent(news: News, now: string): Omit<ObservedAgent, "hub"> {
  const { metadata, spec, status } = news.object;
  const { debugInfo, inventory } = agentStatus.parse(status ?? {});
  return {
    name: metadata.name,
    ...sourceOf(news, now),
    state: debugInfo.state,
    message: debugInfo.stateInfo,
    bound_to: named.safeParse(spec?.clusterDeploymentName).data?.name ?? "",
    labelled_for: metadata.labels?.[clusterLabel] ?? "",
    addresses: inventory.interfaces
      .flatMap(({ ipV4Addresses, ipV6Addresses }) => [
        ...(ipV4Addresses ?? []),
        ...(ipV6Addresses ?? []),
      ])
      // With their prefix length, as the inventory has them.
      .map((address) => address.split("/")[0] ?? "")
      .filter((address) => ipaddr.isValid(address)),
    gone: news.deleted,
  };
}

/** The MAC addresses of an agent's host, in lowercase, each once. */
export function macsOf(news: News): string[] {
  const { inventory } = agentStatus.parse(news.object.status ?? {});
  const macs = inventory.interfaces.map(({ macAddress }) => macAddress?.toLowerCase() ?? "");
  return [...new Set(macs)].filter((mac) => mac !== "");
}

/**
 * Whether news of an object is later than what was observed of the object of that name. Versions of
 * one hub only grow, over all its objects, so an object made again under the same name has higher
 * ones than the one before it, and the uid does not matter. News of the same version is a repetition,
 * unless it says that the object is gone. (A hub restored from a backup counts from an earlier number
 * again: then only a fresh direct read, which is not asked of this function, may go back.)
 */
export function isNewer(previous: Source | undefined, news: News): boolean {
  if (previous === undefined) return true;
  const { resourceVersion } = news.object.metadata;
  if (resourceVersion === previous.resource_version) return news.deleted;
  const [told, known] = [resourceVersion, previous.resource_version].map(versionNumber);
  // Kubernetes promises decimal numbers; of anything else only the difference is known.
  return told === undefined || known === undefined || told > known;
}

/**
 * Whether news of an object means the same to us as the news of it before: conditions that nobody
 * reads, times and progress change all the while. Who reports may keep it to himself.
 */
export function meansTheSame(before: News, news: News): boolean {
  return isDeepStrictEqual(meaningOf(before), meaningOf(news));
}

function meaningOf(news: News): object {
  const { name, uid, labels = {} } = news.object.metadata;
  const of = { name, uid, cluster: labels[clusterLabel], nodeSet: labels[nodeSetLabel] };
  return { ...of, macs: macsOf(news), ...observedOf(news), resource_version: "" };
}

function observedOf(news: News): Source {
  switch (news.kind) {
    case "HostedCluster":
      return observedControlPlane(news, undefined, "");
    case "NodePool":
      return observedNodePool(news, "");
    case "Agent":
      return observedAgent(news, "");
  }
}

function versionNumber(version: string): bigint | undefined {
  return /^\d+$/.test(version) ? BigInt(version) : undefined;
}

function sourceOf(news: News, at: string): Source {
  const { uid, resourceVersion } = news.object.metadata;
  return { uid, resource_version: resourceVersion, at };
}

function controlPlaneMessage(
  news: News,
  conditions: Conditions,
  complete: boolean,
  refused: Condition | undefined,
): string {
  if (news.deleted) return "";
  if (news.object.metadata.deletionTimestamp !== undefined) {
    const held = conditions.get("HostedClusterDestroyed");
    return isFalse(held) ? words(held) : "being deleted";
  }
  if (refused) return words(refused);
  if (!conditions.current) return "waiting for the hub's operator";
  const waiting = waits.map((type) => conditions.get(type)).find(isFalse);
  if (waiting) return words(waiting);
  if (!conditions.is("Available", "True")) return "waiting for the control plane";
  const degraded = conditions.get("Degraded");
  if (degraded?.status === "True") return words(degraded);
  if (complete) return "";
  const rollout = conditions.get("ClusterVersionProgressing");
  return rollout?.status === "True" ? progress(rollout) : "waiting for the version to roll out";
}

function nodePoolMessage(news: News, conditions: Conditions, size: string): string {
  if (news.deleted) return "";
  if (news.object.metadata.deletionTimestamp !== undefined) return "being deleted";
  const telling = [
    "ValidReleaseImage",
    "ValidPlatformConfig",
    "ValidMachineConfig",
    "SupportedVersionSkew",
    "ReachedIgnitionEndpoint",
    "AllMachinesReady",
    "AllNodesHealthy",
  ];
  const updating = conditions.get("UpdatingVersion");
  if (updating?.status === "True") return `${size}; ${progress(updating)}`;
  const waiting = telling.map((type) => conditions.get(type)).find(isFalse);
  return waiting ? `${size}; ${words(waiting)}` : size;
}

const isFalse = (condition: Condition | undefined): condition is Condition =>
  condition?.status === "False";

/** What goes as it should says so in its message alone. */
const progress = (condition: Condition): string => condition.message || words(condition);

/** `ValidReleaseImage: InvalidImage: manifest unknown` */
function words({ type, reason, message }: Condition): string {
  return [type, reason, message].filter((part) => part !== undefined && part !== "").join(": ");
}
