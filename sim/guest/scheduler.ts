import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import { isNodeReady, type Node } from "../operators/nodes.ts";
import { read } from "../operators/objects.ts";
import type { Pod } from "./objects.ts";

type PodSpec = Pod["spec"];

/**
 * The scheduler: the name of the node for a pod, or the scheduler's message when there is none. It checks readiness,
 * selectors and extended resources; CPU and memory never run out.
 */
export function placeFor(
  cluster: KubeCluster,
  spec: PodSpec,
): { node: string } | { message: string } {
  const nodes = cluster.list("Node").map((node) => read<Node>(node));
  if (nodes.length === 0) return { message: "no nodes available to schedule pods" };
  const placed = cluster.list("Pod").map((pod) => read<Pod>(pod));
  const reasons = new Map<string, number>();
  for (const node of nodes) {
    const against = reasonsAgainst(cluster, node, spec, placed);
    if (against.length === 0) return { node: node.metadata.name };
    for (const reason of against) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const words = [...reasons].map(([reason, count]) => `${count} ${reason}`).toSorted();
  return { message: `0/${nodes.length} nodes are available: ${words.join(", ")}.` };
}

function reasonsAgainst(
  cluster: KubeCluster,
  { metadata, status }: Node,
  spec: PodSpec,
  placed: Pod[],
): string[] {
  if (!isNodeReady(cluster, metadata.name)) {
    return ["node(s) had untolerated taint {node.kubernetes.io/not-ready: }"];
  }
  const wanted = Object.entries(spec.nodeSelector ?? {});
  if (wanted.some(([key, value]) => metadata.labels?.[key] !== value)) {
    return ["node(s) didn't match Pod's node affinity/selector"];
  }
  const here = placed.filter((pod) => pod.spec.nodeName === metadata.name && !hasEnded(pod));
  return [...requestsOf(spec)].flatMap(([resource, count]) => {
    const taken = here.reduce((sum, pod) => sum + (requestsOf(pod.spec).get(resource) ?? 0), 0);
    const left = Number(status?.allocatable?.[resource] ?? 0) - taken;
    return count > left ? [`Insufficient ${resource}`] : [];
  });
}

const hasEnded = ({ status }: Pod): boolean =>
  status?.phase === "Succeeded" || status?.phase === "Failed";

/** The amounts of the extended resources (those with a domain in their name) that a pod requests. */
function requestsOf({ containers }: PodSpec): Map<string, number> {
  const requests = new Map<string, number>();
  for (const { resources } of containers) {
    for (const [name, count] of Object.entries({ ...resources?.limits, ...resources?.requests })) {
      if (!name.includes("/")) continue;
      requests.set(name, (requests.get(name) ?? 0) + Number(count));
    }
  }
  return requests;
}

/** Writes the scheduler's decision into a pod. */
export function bind(cluster: KubeCluster, { metadata }: KubeObject, nodeName: string): void {
  cluster.mutate("Pod", metadata.namespace, metadata.name, (pod) => ({
    ...pod,
    spec: { ...read<Pod>(pod).spec, nodeName },
  }));
}
