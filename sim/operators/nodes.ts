import { durations } from "../durations.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import { conditionsOf, isTrue, type KubeCondition } from "./conditions.ts";
import type { Controller } from "./control-loop.ts";
import type { Marks } from "./marks.ts";
import { read } from "./objects.ts";
import { isDown, withOutage } from "./outage.ts";

export interface Node extends KubeObject {
  status?: {
    conditions?: KubeCondition[];
    nodeInfo?: { kubeletVersion: string; osImage: string };
    /** The node's extended resources. */
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
  };
}

/** The annotation with the node's desired version, for the machine config operator. */
const wantedAnnotation = "machineconfiguration.openshift.io/desiredConfig";

/** The version of a node; undefined when it does not exist. */
export function versionOf(cluster: KubeCluster, name: string): string | undefined {
  const node = cluster.get("Node", undefined, name);
  return node && read<Node>(node).status?.nodeInfo?.kubeletVersion;
}

/** Starts a running node's change to another version: a drain and a reboot. */
export function setWantedVersion(cluster: KubeCluster, name: string, version: string): void {
  const node = cluster.get("Node", undefined, name);
  const wanted = node?.metadata.annotations?.[wantedAnnotation] ?? versionOf(cluster, name);
  if (!node || wanted === version) return;
  cluster.mutate("Node", undefined, name, (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata.annotations, [wantedAnnotation]: version },
    },
  }));
}

/** Adds the node of a kubelet that has reached the hosted cluster; it becomes Ready some time later. */
export function addNode(
  cluster: KubeCluster,
  node: { name: string; version: string; gpus?: number },
): void {
  if (cluster.get("Node", undefined, node.name)) return;
  cluster.create({
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: node.name,
      labels: { "node-role.kubernetes.io/worker": "" },
      ...(node.gpus && { annotations: { [gpusAnnotation]: String(node.gpus) } }),
    },
    spec: {},
  });
  setReady(cluster, node.name, false, node.version);
}

/** Sets whether a node's machine runs the node's system, and so whether its kubelet reports. */
export function setRunning(cluster: KubeCluster, name: string, isRunning: boolean): void {
  const node = cluster.get("Node", undefined, name);
  if (!node || isDown(node) === !isRunning) return;
  cluster.mutate("Node", undefined, name, (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: withOutage(object.metadata.annotations, !isRunning),
    },
  }));
}

/** The number of GPUs in the machine, for simulated operators; real nodes have no such annotation. */
const gpusAnnotation = "sim.slipway.dev/gpus";

export const gpusIn = ({ metadata }: KubeObject): number =>
  Number(metadata.annotations?.[gpusAnnotation] ?? 0);

export function isNodeReady(cluster: KubeCluster, name: string): boolean {
  const node = cluster.get("Node", undefined, name);
  return node !== undefined && isTrue(read<Node>(node).status?.conditions, "Ready");
}

export function readyNodes(cluster: KubeCluster): number {
  return cluster.list("Node").filter((node) => isNodeReady(cluster, node.metadata.name)).length;
}

/** The kubelets of a hosted cluster. */
export function nodes(cluster: KubeCluster, marks: Marks): Controller {
  return {
    kind: "Node",
    reconcile({ metadata }) {
      const isReady = isNodeReady(cluster, metadata.name);
      if (isDown({ metadata })) {
        // The machine boots when its power returns.
        marks.clear(metadata.uid, "joined");
        if (isReady) setReady(cluster, metadata.name, false);
        return undefined;
      }
      const wanted = metadata.annotations?.[wantedAnnotation];
      if (wanted !== undefined && wanted !== versionOf(cluster, metadata.name)) {
        const drained = marks.begin(metadata.uid, "update") + durations.drain;
        if (cluster.clock.now() < drained) return drained;
        if (isReady) setReady(cluster, metadata.name, false);
        const booted = drained + durations.upgrade.reboot;
        if (cluster.clock.now() < booted) return booted;
        marks.clear(metadata.uid, "update");
        marks.clear(metadata.uid, "joined");
        setReady(cluster, metadata.name, false, wanted);
        return cluster.clock.now();
      }
      if (isReady) return undefined;
      const ready = marks.begin(metadata.uid, "joined") + durations.nodeReady;
      if (cluster.clock.now() < ready) return ready;
      setReady(cluster, metadata.name, true);
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

function setReady(cluster: KubeCluster, name: string, isReady: boolean, version?: string): void {
  const now = cluster.clock.now();
  const finding = isReady
    ? { reason: "KubeletReady", message: "kubelet is posting ready status" }
    : { reason: "KubeletNotReady", message: "container runtime network not ready" };
  cluster.patchStatus("Node", undefined, name, (status, object) => ({
    ...status,
    conditions: conditionsOf(
      read<Node>(object).status?.conditions,
      [{ type: "Ready", status: isReady, ...finding }],
      { now },
    ),
    ...(version && {
      nodeInfo: { kubeletVersion: version, osImage: "Red Hat Enterprise Linux CoreOS" },
    }),
  }));
}
