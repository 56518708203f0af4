import { durations } from "../durations.ts";
import { findsItself, type IsLocal, type Resolves, routerAddress } from "../guest/way-in.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import type { Release } from "../release.ts";
import {
  conditionOf,
  conditionsOf,
  type Finding,
  isTrue,
  type KubeCondition,
  kubeTime,
} from "./conditions.ts";
import { type Controller, earliest } from "./control-loop.ts";
import type { Marks } from "./marks.ts";
import { readyNodes } from "./nodes.ts";
import { read, type VersionHistory } from "./objects.ts";
import { isDown, notUpgradeable } from "./outage.ts";

/** Cluster operators whose workload runs beside the hosted control plane. */
const onHub = [
  "csi-snapshot-controller",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "openshift-apiserver",
  "openshift-controller-manager",
  "operator-lifecycle-manager",
  "operator-lifecycle-manager-catalog",
  "operator-lifecycle-manager-packageserver",
];

/** Cluster operators that need a worker, in the order in which they become available. */
const onWorkers = [
  "network",
  "dns",
  "node-tuning",
  "service-ca",
  "storage",
  "kube-storage-version-migrator",
  "image-registry",
  "openshift-samples",
  "insights",
  "monitoring",
];

/** Cluster operators that need more than the cluster itself: ingress and its DNS name. */
const missing: Record<string, { reason: string; message: string }> = {
  ingress: {
    reason: "IngressUnavailable",
    message:
      'The "default" ingress controller reports Available=False: LoadBalancerReady=False (LoadBalancerPending: The LoadBalancer service is pending)',
  },
  console: {
    reason: "RouteHealth_FailedGet",
    message: "RouteHealthAvailable: failed to GET route: no such host",
  },
};

const all = [...onHub, ...onWorkers, ...Object.keys(missing)].toSorted();

interface ClusterVersion extends KubeObject {
  spec: { desiredUpdate: Release };
  status?: { history: VersionHistory[]; conditions?: KubeCondition[] };
}

interface ClusterOperator extends KubeObject {
  status?: { conditions?: KubeCondition[]; versions?: { name: string; version: string }[] };
}

/** Creates the ClusterVersion of a new hosted cluster. */
export function createClusterVersion(cluster: KubeCluster, release: Release): void {
  if (cluster.get("ClusterVersion", undefined, "version")) return;
  cluster.create({
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    spec: { desiredUpdate: release },
  });
}

/** The cluster's report of its releases. */
export interface Rollout {
  desired: Release;
  /** The releases, the newest first. */
  history: VersionHistory[];
  /** The progress towards the newest release; empty when it is complete. */
  message: string;
  /** Why the cluster must not be upgraded to another minor version. */
  fixed: string | undefined;
}

export function rollout(cluster: KubeCluster): Rollout | undefined {
  const found = cluster.get("ClusterVersion", undefined, "version");
  if (!found) return undefined;
  const { spec, status } = read<ClusterVersion>(found);
  const progressing = conditionOf(status?.conditions, "Progressing");
  return {
    desired: spec.desiredUpdate,
    history: status?.history ?? [],
    message: progressing?.status === "True" ? progressing.message : "",
    fixed: notUpgradeable(found),
  };
}

/** Starts the upgrade of a running cluster to another release. */
export function moveTo(cluster: KubeCluster, release: Release): void {
  cluster.mutate("ClusterVersion", undefined, "version", (object) => ({
    ...object,
    spec: { desiredUpdate: release },
  }));
}

/**
 * The cluster version operator of a hosted cluster: after the first worker its cluster operators become available one
 * after another. It reports the release as complete even without ingress and console.
 */
export function clusterVersion(
  cluster: KubeCluster,
  marks: Marks,
  resolves: Resolves,
  isLocal: IsLocal = () => true,
): Controller {
  const version = () => [{ name: "version" }];
  return {
    kind: "ClusterVersion",
    also: { Node: version, Service: version, L2Advertisement: version },
    reconcile(object) {
      const version = read<ClusterVersion>(object);
      const { uid } = version.metadata;
      const before = version.status?.history.find(({ state }) => state === "Completed");
      if (before && before.image !== version.spec.desiredUpdate.image)
        return update(cluster, marks, version, before.version);
      const isRunning = marks.get(uid, "workers") !== undefined || readyNodes(cluster) > 0;
      const began = isRunning ? marks.begin(uid, "workers") : undefined;
      const now = cluster.clock.now();
      const ready = began === undefined ? 0 : Math.floor((now - began) / durations.clusterOperator);
      const router = routerAddress(cluster, isLocal);
      const hasConsole = router !== undefined && findsItself(cluster, router, resolves);
      const running = new Set([
        ...onHub,
        ...onWorkers.slice(0, ready),
        ...(router !== undefined ? ["ingress"] : []),
        ...(hasConsole ? ["console"] : []),
      ]);
      const { version: release } = version.spec.desiredUpdate;
      for (const name of all) setOperator(cluster, name, running.has(name), release);
      const isComplete = ready >= onWorkers.length;
      setStatus(cluster, version, isComplete, "waiting on cluster operators");
      const next =
        began === undefined || isComplete
          ? undefined
          : began + (ready + 1) * durations.clusterOperator;
      const tryAgain =
        router !== undefined && !hasConsole ? now + durations.guest.console : undefined;
      return earliest(next, tryAgain);
    },
  };
}

/** Upgrades the cluster operators one after another; each remains available. */
function update(
  cluster: KubeCluster,
  marks: Marks,
  version: ClusterVersion,
  before: string,
): number | undefined {
  const { uid } = version.metadata;
  const target = version.spec.desiredUpdate;
  const began = marks.begin(uid, `update to ${target.image}`);
  const now = cluster.clock.now();
  const told = Math.floor((now - began) / durations.upgrade.operator);
  const updated = isDown(version) ? Math.min(told, all.length - 1) : Math.min(told, all.length);
  for (const [n, name] of all.entries()) {
    const found = cluster.get("ClusterOperator", undefined, name);
    const isAvailable = isTrue(
      found && read<ClusterOperator>(found).status?.conditions,
      "Available",
    );
    setOperator(cluster, name, isAvailable, n < updated ? target.version : before);
  }
  const percent = Math.floor((updated / all.length) * 100);
  const isComplete = updated === all.length;
  setStatus(
    cluster,
    version,
    isComplete,
    `${updated} of ${all.length} done (${percent}% complete)`,
  );
  if (isComplete) marks.clear(uid, `update to ${target.image}`);
  return isComplete || told >= all.length
    ? undefined
    : began + (told + 1) * durations.upgrade.operator;
}

function setOperator(
  cluster: KubeCluster,
  name: string,
  isAvailable: boolean,
  release: string,
): void {
  const operator =
    cluster.get("ClusterOperator", undefined, name) ??
    cluster.create({
      apiVersion: "config.openshift.io/v1",
      kind: "ClusterOperator",
      metadata: { name },
      spec: {},
    });
  const { conditions: before, versions: shown } = read<ClusterOperator>(operator).status ?? {};
  const available = isTrue(before, "Available");
  // Usually nothing has changed since the last check.
  if (
    before &&
    available === isAvailable &&
    shown?.[0]?.version === (isAvailable ? release : undefined)
  )
    return;
  const wait = missing[name] ?? {
    reason: "NoWorkers",
    message: `${name} is waiting for its workload to be scheduled`,
  };
  const findings: Finding[] = [
    isAvailable
      ? { type: "Available", status: true, reason: "AsExpected" }
      : { type: "Available", status: false, ...wait },
    { type: "Progressing", status: !isAvailable, reason: isAvailable ? "AsExpected" : wait.reason },
    { type: "Degraded", status: false, reason: "AsExpected" },
    { type: "Upgradeable", status: true, reason: "AsExpected" },
  ];
  const conditions = conditionsOf(before, findings, { now: cluster.clock.now() });
  const versions = isAvailable ? [{ name: "operator", version: release }] : [];
  cluster.patchStatus("ClusterOperator", undefined, name, () => ({ conditions, versions }));
}

function setStatus(
  cluster: KubeCluster,
  object: ClusterVersion,
  isComplete: boolean,
  how: string,
): void {
  const { image, version } = object.spec.desiredUpdate;
  const now = cluster.clock.now();
  const history = object.status?.history ?? [];
  const before = history[0]?.image === image ? history[0] : undefined;
  const entry: VersionHistory = {
    state: isComplete ? "Completed" : "Partial",
    image,
    version,
    verified: false,
    startedTime:
      before?.startedTime ??
      (history.length > 0 ? kubeTime(now) : object.metadata.creationTimestamp),
    completionTime: isComplete ? (before?.completionTime ?? kubeTime(now)) : null,
  };
  const status = {
    desired: { image, version },
    history: [entry, ...(before ? history.slice(1) : history)],
    observedGeneration: object.metadata.generation,
    availableUpdates: null,
    conditions: conditionsOf(
      object.status?.conditions,
      [
        {
          type: "Available",
          status: isComplete,
          reason: "AsExpected",
          message: isComplete ? `Done applying ${version}` : "",
        },
        { type: "Failing", status: false, reason: "AsExpected" },
        {
          type: "Progressing",
          status: !isComplete,
          reason: "AsExpected",
          message: isComplete
            ? `Cluster version is ${version}`
            : `Working towards ${version}: ${how}`,
        },
      ],
      { now },
    ),
  };
  cluster.patchStatus("ClusterVersion", undefined, "version", () => status);
}
