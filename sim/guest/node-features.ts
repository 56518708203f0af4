import * as z from "zod";
import { durations } from "../durations.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import { sameJson } from "../kubernetes/paths.ts";
import { conditionsOf } from "../operators/conditions.ts";
import type { Controller } from "../operators/control-loop.ts";
import type { Marks } from "../operators/marks.ts";
import { gpusIn, isNodeReady } from "../operators/nodes.ts";
import { read } from "../operators/objects.ts";
import { configured } from "./config-text.ts";
import type { NodeFeatureDiscovery } from "./objects.ts";
import { running } from "./service-versions.ts";

const prefix = "feature.node.kubernetes.io/pci-";

/** All GPUs of this world are H100. */
const gpu: Record<string, string> = { class: "0302", vendor: "10de", device: "2330" };

/** The NFD operator and its workers: label nodes by the PCI devices in them. */
export function nodeFeatures(cluster: KubeCluster, marks: Marks): Controller {
  const all = () => cluster.list("NodeFeatureDiscovery").map(({ metadata }) => metadata);
  return {
    kind: "NodeFeatureDiscovery",
    also: { ClusterServiceVersion: all, Node: all },
    reconcile(object) {
      const { metadata, spec, status } = read<NodeFeatureDiscovery>(object);
      const { uid, namespace, name } = metadata;
      // The operator watches its own namespace only.
      if (running(cluster, marks, "nfd")?.namespace !== namespace) return undefined;
      const due = marks.begin(uid, "asked") + durations.guest.nodeFeatures;
      const now = cluster.clock.now();
      const isUp = now >= due;
      const finding = { type: "Available", status: isUp, reason: isUp ? "" : "Progressing" };
      cluster.patchStatus("NodeFeatureDiscovery", namespace, name, () => ({
        conditions: conditionsOf(status?.conditions, [finding], { now }),
      }));
      if (!isUp) return due;
      const found = pciLabel(spec?.workerConfig?.configData);
      for (const node of cluster.list("Node")) {
        if (isNodeReady(cluster, node.metadata.name)) label(cluster, node, found);
      }
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

/** Whether the node has an NFD label for a GPU that NVIDIA's operator knows. */
export const hasGpuLabel = ({ metadata }: KubeObject): boolean =>
  ["10de", "0302_10de", "0300_10de"].some(
    (device) => metadata.labels?.[`${prefix}${device}.present`] === "true",
  );

/** NFD's default configuration. */
const defaults = {
  deviceClassWhitelist: ["03", "0b40", "12"],
  deviceLabelFields: ["class", "vendor"],
};

const workerConfig = z.object({
  sources: z
    .object({
      pci: z
        .object({
          deviceClassWhitelist: z.array(z.string()).optional(),
          deviceLabelFields: z.array(z.string()).optional(),
        })
        .optional(),
    })
    .optional(),
});

/** NFD's label for a GPU; undefined when the configuration excludes such devices. */
function pciLabel(config = "{}"): string | undefined {
  const given = configured(workerConfig, config);
  if (!given) return undefined;
  const { deviceClassWhitelist, deviceLabelFields } = { ...defaults, ...given.sources?.pci };
  if (!deviceClassWhitelist.some((classes) => gpu.class?.startsWith(classes))) return undefined;
  const parts = deviceLabelFields.flatMap((field) => gpu[field] ?? []);
  return parts.length > 0 ? `${prefix}${parts.join("_")}.present` : undefined;
}

function label(cluster: KubeCluster, node: KubeObject, found: string | undefined): void {
  const { name, labels = {} } = node.metadata;
  const others = Object.entries(labels).filter(([key]) => !key.startsWith(prefix));
  const next = {
    ...Object.fromEntries(others),
    ...(found && gpusIn(node) > 0 && { [found]: "true" }),
  };
  if (sameJson(labels, next)) return;
  cluster.mutate("Node", undefined, name, (live) => ({
    ...live,
    metadata: { ...live.metadata, labels: next },
  }));
}
