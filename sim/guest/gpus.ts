import * as z from "zod";
import { durations } from "../durations.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import { type Controller, earliest } from "../operators/control-loop.ts";
import type { Marks } from "../operators/marks.ts";
import { gpusIn, isNodeReady, type Node } from "../operators/nodes.ts";
import { read } from "../operators/objects.ts";
import { configured } from "./config-text.ts";
import { hasGpuLabel } from "./node-features.ts";
import type { ClusterPolicy } from "./objects.ts";
import { running } from "./service-versions.ts";

const resource = "nvidia.com/gpu";

/** NVIDIA's GPU operator: starts the driver and the device plugin on nodes where NFD found a GPU. */
export function clusterPolicies(cluster: KubeCluster, marks: Marks): Controller {
  const all = () => cluster.list("ClusterPolicy").map(({ metadata }) => metadata);
  return {
    kind: "ClusterPolicy",
    also: { ClusterServiceVersion: all, ConfigMap: all, Node: all },
    reconcile(object) {
      const { metadata, spec } = read<ClusterPolicy>(object);
      const operator = running(cluster, marks, "gpu-operator-certified");
      if (!operator) return undefined;
      const { namespace } = operator;
      const replicas = replicasOf(cluster, namespace, spec);
      const nodes = cluster
        .list("Node")
        .filter((node) => hasGpuLabel(node) && isNodeReady(cluster, node.metadata.name));
      const waits = nodes.map((node) => {
        if (replicas === undefined) return Infinity;
        const due = marks.begin(node.metadata.uid, "gpu") + durations.guest.gpu;
        if (cluster.clock.now() < due) return due;
        offer(cluster, node, gpusIn(node) * replicas);
        return undefined;
      });
      const due = earliest(...waits);
      const state = due === undefined ? "ready" : "notReady";
      cluster.patchStatus("ClusterPolicy", undefined, metadata.name, () => ({ namespace, state }));
      return due === Infinity ? undefined : due;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

function offer(cluster: KubeCluster, node: KubeObject, count: number): void {
  const given = { [resource]: String(count) };
  cluster.patchStatus("Node", undefined, node.metadata.name, (status, live) => {
    const { capacity, allocatable } = read<Node>(live).status ?? {};
    return {
      ...status,
      capacity: { ...capacity, ...given },
      allocatable: { ...allocatable, ...given },
    };
  });
}

const pluginConfig = z.object({
  sharing: z
    .object({
      timeSlicing: z
        .object({ resources: z.array(z.object({ name: z.string(), replicas: z.int().min(2) })) })
        .optional(),
    })
    .optional(),
});

/** The number of replicas of each GPU; undefined when the device plugin does not run or cannot start. */
function replicasOf(
  cluster: KubeCluster,
  namespace: string,
  spec: ClusterPolicy["spec"],
): number | undefined {
  const { driver, toolkit, devicePlugin } = spec ?? {};
  if ([driver, toolkit, devicePlugin].some((part) => part?.enabled === false)) return undefined;
  const { name = "", default: chosen = "" } = devicePlugin?.config ?? {};
  if (!name) return 1;
  const found = cluster.get("ConfigMap", namespace, name);
  if (!found) return undefined;
  // The configuration applies by default only to nodes that name it.
  if (!chosen) return 1;
  const text = (found.data as Record<string, string> | undefined)?.[chosen];
  const given = configured(pluginConfig, text ?? "");
  if (!given) return undefined;
  const slices = given.sharing?.timeSlicing?.resources.find((one) => one.name === resource);
  return slices?.replicas ?? 1;
}
