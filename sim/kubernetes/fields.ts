import type { FieldSet, KubeInput } from "./object.ts";
import { isObject, type JsonObject, sameJson } from "./paths.ts";

/**
 * Field paths as `metadata.managedFields` writes them: `f:<member>`, `v:<member of a set>`,
 * `k:<key of a list item>`. Lists are one value, except finalizers (a set) and ownerReferences
 * (items by uid).
 */
export type FieldPath = readonly string[];

/** Paths of single values, by their joined form. */
export type Leaves = Map<string, FieldPath>;

export type Part = "main" | "status";

const finalizers = "f:metadata/f:finalizers";
const owners = "f:metadata/f:ownerReferences";

/**
 * The parts of the metadata whose fields have owners. Members that identify the object, or that only the server writes,
 * have none.
 */
export const ownedMetadata = ["labels", "annotations", "finalizers", "ownerReferences"] as const;

const owned = new Set<string>(ownedMetadata);

/** The fields of an object, or of its status alone. */
export function leavesOf(object: KubeInput, part: Part = "main"): Leaves {
  const { apiVersion: _, kind: __, metadata, status, ...rest } = object;
  const leaves: Leaves = new Map();
  if (part === "status") {
    if (status !== undefined) collect(status, ["f:status"], leaves);
    return leaves;
  }
  const named = Object.entries(metadata).filter(([name]) => owned.has(name));
  for (const [name, value] of named) collect(value, ["f:metadata", `f:${name}`], leaves);
  for (const [name, value] of Object.entries(rest)) collect(value, [`f:${name}`], leaves);
  return leaves;
}

function collect(value: unknown, path: FieldPath, leaves: Leaves): void {
  if (value === undefined) return;
  const inside = isObject(value)
    ? Object.keys(value).map((name) => `f:${name}`)
    : elements(value, path);
  if (inside.length === 0) {
    leaves.set(keyOf(path), path);
    return;
  }
  for (const element of inside) {
    if (element.startsWith("f:") && isObject(value)) {
      collect(value[element.slice(2)], [...path, element], leaves);
    } else {
      leaves.set(keyOf([...path, element]), [...path, element]);
    }
  }
}

function elements(value: unknown, path: FieldPath): string[] {
  if (!Array.isArray(value)) return [];
  const at = path.join("/");
  if (at === finalizers) return value.map((member) => `v:${JSON.stringify(member)}`);
  if (at === owners) return value.map((owner: unknown) => ownerElement(owner));
  return [];
}

function ownerElement(owner: unknown): string {
  return `k:${JSON.stringify({ uid: isObject(owner) ? owner.uid : undefined })}`;
}

export function keyOf(path: FieldPath): string {
  return path.join("\0");
}

/** Whether one path is the other, or a part of it. */
export function overlap(a: FieldPath, b: FieldPath): boolean {
  return leadsTo(a, b) || leadsTo(b, a);
}

/** Whether `path` is `parent`, or below it. */
export function leadsTo(parent: FieldPath, path: FieldPath): boolean {
  return parent.length <= path.length && parent.every((element, index) => path[index] === element);
}

/** `.metadata.finalizers[="x"]`: the path in a conflict's message. */
export function printPath(path: FieldPath): string {
  const step = (element: string) => {
    const rest = element.slice(2);
    if (element.startsWith("f:")) return `.${rest}`;
    if (element.startsWith("v:")) return `[=${rest}]`;
    return `[${rest.replace(/^\{"(\w+)":(.*)\}$/, "$1=$2")}]`;
  };
  return path.map(step).join("");
}

export function toFieldSet(leaves: Leaves): FieldSet {
  const root: FieldSet = {};
  for (const path of leaves.values()) {
    let at = root;
    for (const element of path) {
      at[element] ??= {};
      at = at[element];
    }
  }
  return root;
}

export function fromFieldSet(set: FieldSet): Leaves {
  const leaves: Leaves = new Map();
  const walk = (node: FieldSet, path: FieldPath) => {
    const names = Object.keys(node);
    if (names.length === 0 && path.length > 0) leaves.set(keyOf(path), path);
    for (const name of names) walk(node[name] ?? {}, [...path, name]);
  };
  walk(set, []);
  return leaves;
}

export function readField(object: unknown, path: FieldPath): unknown {
  let at = object;
  for (const element of path) {
    if (element.startsWith("f:")) at = isObject(at) ? at[element.slice(2)] : undefined;
    else at = Array.isArray(at) ? at.find((item) => isElement(item, element)) : undefined;
  }
  return at;
}

/** Sets the field in place. An empty map does not replace a map with members. */
export function writeField(object: JsonObject, path: FieldPath, value: unknown): void {
  const [element = "", ...rest] = path;
  const name = element.slice(2);
  const next = rest[0];
  if (next === undefined) {
    const keepsMembers =
      isObject(value) && Object.keys(value).length === 0 && isObject(object[name]);
    if (!keepsMembers) object[name] = structuredClone(value);
  } else if (next.startsWith("f:")) {
    const inner = object[name];
    const child: JsonObject = isObject(inner) ? inner : {};
    object[name] = child;
    writeField(child, rest, value);
  } else {
    const list = object[name];
    const others = Array.isArray(list) ? list : [];
    const found = others.findIndex((item) => isElement(item, next));
    if (found >= 0) object[name] = others.with(found, structuredClone(value));
    else object[name] = [...others, structuredClone(value)];
  }
}

/** Removes the field in place, and its parents that become empty, unless `keep` contains them. */
export function removeField(
  object: JsonObject,
  path: FieldPath,
  keep: (parent: FieldPath) => boolean,
): void {
  const parentPath = path.slice(0, -1);
  const parent = readField(object, parentPath);
  const last = path.at(-1) ?? "";
  let empty = false;
  if (isObject(parent)) {
    delete parent[last.slice(2)];
    empty = Object.keys(parent).length === 0;
  } else if (Array.isArray(parent)) {
    const found = parent.findIndex((item) => isElement(item, last));
    if (found >= 0) parent.splice(found, 1);
    empty = parent.length === 0;
  }
  if (empty && parentPath.length > 1 && !keep(parentPath)) removeField(object, parentPath, keep);
}

function isElement(item: unknown, element: string): boolean {
  if (element.startsWith("v:")) return sameJson(item, JSON.parse(element.slice(2)));
  return ownerElement(item) === element;
}
