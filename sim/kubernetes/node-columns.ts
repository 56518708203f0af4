import type { KubeObject } from "./object.ts";
import { isObject } from "./paths.ts";
import { jsonPath } from "./table.ts";

/** The columns of a node in `kubectl get nodes`, after printNode of kubernetes. */

/** The status of a node, such as `Ready,SchedulingDisabled`. */
export function nodeStatus(node: KubeObject): string {
  const [ready] = jsonPath(node, '.status.conditions[?(@.type=="Ready")].status');
  const [unschedulable] = jsonPath(node, ".spec.unschedulable");
  const status = ready === undefined ? "Unknown" : ready === "True" ? "Ready" : "NotReady";
  return unschedulable === true ? `${status},SchedulingDisabled` : status;
}

const roleLabel = "node-role.kubernetes.io/";

export function nodeRoles({ metadata: { labels } }: KubeObject): string {
  const names = isObject(labels) ? Object.keys(labels) : [];
  const roles = names.filter((name) => name.startsWith(roleLabel));
  const sorted = roles.map((name) => name.slice(roleLabel.length)).sort();
  return sorted.join(",") || "<none>";
}
