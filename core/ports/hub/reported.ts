import type { KubeObject } from "../kubernetes/kube-object.ts";
import type { News } from "./news.ts";
import { type NewsKind, reportedKinds } from "./reported-kinds.ts";

/** A hub's report of one of its objects, with the members that Slipway reads. */
export function newsOf(kind: NewsKind, object: KubeObject, deleted = false): News {
  const { name, namespace = "", uid, resourceVersion } = object.metadata;
  const { generation, deletionTimestamp, labels } = object.metadata;
  const trimmed: Tree = {};
  for (const path of reportedKinds[kind].read) copy(object, trimmed, path.split("."));
  return {
    kind,
    deleted,
    object: {
      metadata: {
        name,
        namespace,
        uid,
        resourceVersion,
        ...(generation !== undefined && { generation }),
        ...(deletionTimestamp !== undefined && { deletionTimestamp }),
        ...(labels !== undefined && { labels }),
      },
      ...(isTree(trimmed.spec) && { spec: trimmed.spec }),
      ...(isTree(trimmed.status) && { status: trimmed.status }),
    },
  };
}

type Tree = Record<string, unknown>;

const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Copies the member at a path, if it exists. */
function copy(from: Tree, to: Tree, [step = "", ...rest]: string[]): void {
  const value = from[step];
  if (value === undefined) return;
  if (rest.length === 0) {
    to[step] = value;
    return;
  }
  if (!isTree(value)) return;
  const inside = to[step];
  const target = isTree(inside) ? inside : {};
  copy(value, target, rest);
  if (Object.keys(target).length > 0) to[step] = target;
}
