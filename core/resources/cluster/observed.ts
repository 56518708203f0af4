import * as z from "zod";
import { bounds, cut } from "../../bounds.ts";
import { clusterLabel, nodeSetLabel } from "../../ports/hub/clusters/labels.ts";
import type { Meanings } from "../../ports/hub/meaning.ts";
import type { News } from "../../ports/hub/news.ts";
import { observationIn } from "../../ports/hub/observation.ts";
import { Conditions, type HubCondition } from "../hub/conditions.ts";
import type { ObservedControlPlane, ObservedNodePool } from "./model.ts";

/**
 * Translates a hub's objects into observations of a cluster. Pure; `now` is an RFC 3339 timestamp of the deployment's
 * clock.
 */

/** Conditions that are False when the operator refuses the user's input. */
const refusals = [
  "ValidConfiguration",
  "SupportedHostedCluster",
  "ValidReleaseImage",
  "PlatformCredentialsFound",
  "ValidReleaseInfo",
] as const;

/** Conditions that a control plane waits for, the most useful message first. */
const waits = [
  "InfrastructureReady",
  "EtcdAvailable",
  "KubeAPIServerAvailable",
  "Available",
] as const;

const name = z.string().transform((text) => cut(text, bounds.name));
const named = z.object({ name: name.pipe(z.string().min(1)) });
const completed = "Completed";

const hostedClusterStatus = z.object({
  controlPlaneEndpoint: z.object({ host: name, port: z.number() }).optional().catch(undefined),
  kubeconfig: named.optional().catch(undefined),
  kubeadminPassword: named.optional().catch(undefined),
  version: z
    .object({
      /** Newest first. */
      history: z.array(z.object({ state: name, version: name.optional() })).catch([]),
    })
    .catch({ history: [] }),
});

/** A HostedCluster. `previous` is the last observation of the same cluster. */
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
  // Until the operator has processed the latest change, its earlier report is valid.
  const before = conditions.current ? undefined : previous;
  const observed = {
    ...observationIn(news, now),
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
    // The time is of Slipway's clock, because the hub's clock may differ.
    ...(refusal !== undefined && { refusal, refused_since: previous?.refused_since ?? now }),
  };
}

const nodePoolStatus = z.object({
  replicas: z.number().catch(0),
  version: name.optional().catch(undefined),
});
const replicasSchema = z.number().catch(0);

/** A NodePool. It is ready when it has the requested size and all nodes are healthy. */
export function observedNodePool(news: News, now: string): ObservedNodePool {
  const status = nodePoolStatus.parse(news.object.status ?? {});
  const desired = replicasSchema.parse(news.object.spec?.replicas);
  const conditions = new Conditions(news);
  const updating =
    conditions.is("UpdatingVersion", "True") || conditions.is("UpdatingConfig", "True");
  // An empty pool has no nodes, so it counts as healthy.
  const healthy = desired === 0 || conditions.is("AllNodesHealthy", "True");
  const ready = !news.deleted && status.replicas === desired && healthy;
  return {
    ...observationIn(news, now),
    desired,
    replicas: status.replicas,
    ready,
    ...(status.version !== undefined && { version: status.version }),
    // Before the operator has processed this generation, it reports the version of an earlier one.
    version_completed: conditions.current && status.version !== undefined && !updating,
    message:
      ready && !updating
        ? ""
        : nodePoolMessage(news, conditions, `${status.replicas} of ${desired} nodes`),
  };
}

export const meanings: Meanings = {
  HostedCluster(news) {
    const { message, ...decides } = observedControlPlane(news, undefined, "");
    return { decides: { ...ordered(news), ...decides }, progress: { message } };
  },
  NodePool(news) {
    // The number of nodes only shows progress; `ready` tells when the desired size is reached.
    const { message, replicas, ...decides } = observedNodePool(news, "");
    return { decides: { ...ordered(news), ...decides }, progress: { message, replicas } };
  },
};

/** The labels with the cluster and the node set to which the object belongs. */
function ordered({ object }: News): object {
  const { labels = {} } = object.metadata;
  return { cluster: labels[clusterLabel], nodeSet: labels[nodeSetLabel] };
}

function controlPlaneMessage(
  news: News,
  conditions: Conditions,
  complete: boolean,
  refused: HubCondition | undefined,
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

const isFalse = (condition: HubCondition | undefined): condition is HubCondition =>
  condition?.status === "False";

/** A condition without trouble: its message only shows progress. */
const progress = (condition: HubCondition): string => condition.message || words(condition);

/** Such as `ValidReleaseImage: InvalidImage: manifest unknown`. */
function words({ type, reason, message }: HubCondition): string {
  const said = [type, reason, message].filter((part) => part !== undefined && part !== "");
  return cut(said.join(": "), bounds.reason);
}
