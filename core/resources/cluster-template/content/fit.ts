import type { Issue } from "../../../kernel/input/field.ts";
import { isObject } from "../../../kernel/input/shape.ts";
import type { Json } from "../../../kernel/store/store.ts";
import type { ManifestSource } from "../model.ts";
import type { Parameter } from "../parameter.ts";
import catalogue from "./generated/kinds.json" with { type: "json" };
import { typeOf } from "./manifest.ts";
import { isPlaceholder, under } from "./placeholders.ts";

/**
 * Checks whether manifests fit their kinds, because a cluster refuses an apply with one unknown member or one member
 * of the wrong type. Only well-known kinds are checked; those of operators are known only in the cluster. The table is
 * large, so the API loads it when needed.
 */

const { kinds, types }: { kinds: Dictionary<string>; types: Dictionary<Dictionary<string>> } =
  catalogue;
type Dictionary<T> = Record<string, T | undefined>;

/** Members of every kind that are checked elsewhere. */
const head = ["apiVersion", "kind", "metadata", "status"];

/** All members of a manifest that do not fit its kind. */
export function misfits(manifest: ManifestSource, parameters: Parameter[]): Issue[] {
  const members = types[kinds[`${String(manifest.apiVersion)} ${String(manifest.kind)}`] ?? ""];
  if (!members) return [];
  const body = Object.entries(manifest).filter(([name]) => !head.includes(name));
  return body.flatMap(([name, value]) => memberIssues(members, name, value, parameters));
}

function memberIssues(
  members: Dictionary<string>,
  name: string,
  value: Json | undefined,
  parameters: Parameter[],
): Issue[] {
  const type = members[name];
  if (type !== undefined) return under(name, valueIssues(type, value ?? null, parameters));
  const near = nearest(name, Object.keys(members));
  const hint = near === undefined ? "" : `; did you mean '${near}'?`;
  return [{ path: [name], message: `is not a member of this kind${hint}` }];
}

function valueIssues(type: string, value: Json, parameters: Parameter[]): Issue[] {
  // Null means no value, so it fits any type.
  if (type === "any" || value === null) return [];
  const wrong = shapeIssue(type, value, parameters);
  if (wrong !== undefined) return [{ path: [], message: wrong }];
  if (Array.isArray(value))
    return value.flatMap((item, n) => under(n, valueIssues(type.slice(0, -2), item, parameters)));
  if (!isObject(value) || isPlaceholder(value)) return [];
  const inMap = type.endsWith("{}") ? type.slice(0, -2) : undefined;
  return Object.entries(value).flatMap(([name, child]) =>
    inMap === undefined
      ? memberIssues(types[type] ?? {}, name, child, parameters)
      : under(name, valueIssues(inMap, child, parameters)),
  );
}

/** The fault of a value itself; its members are checked separately. */
function shapeIssue(type: string, value: Json, parameters: Parameter[]): string | undefined {
  const is = typeOf(value, parameters);
  // An unknown parameter gets its own fault elsewhere.
  if (is === undefined) return undefined;
  const [wanted, fitting] = shapeOf(type);
  if (fitting.includes(is)) return undefined;
  const hint = type === "text" ? ": quote it, or use {$json: …}" : "";
  return `must be ${wanted}, but is ${is}${hint}`;
}

/** The name of a type for people, and the results of `typeOf` that fit it. */
function shapeOf(type: string): [wanted: string, fitting: string[]] {
  if (type.endsWith("[]")) return ["a list", ["a list"]];
  if (type.endsWith("{}")) return ["a map of names", ["an object"]];
  switch (type) {
    case "text":
      return ["text", ["string"]];
    case "number":
      return ["a number", ["number", "integer"]];
    case "quantity":
      return ["text or a number", ["string", "number", "integer"]];
    case "boolean":
      return ["true or false", ["boolean"]];
    default:
      return ["an object", ["an object"]];
  }
}

/** The name with the longest common beginning; undefined if no name has three characters in common. */
function nearest(name: string, names: string[]): string | undefined {
  const alike = (other: string) => {
    let length = 0;
    while (length < name.length && name[length] === other[length]) length += 1;
    return length;
  };
  const best = names.toSorted((a, b) => alike(b) - alike(a))[0];
  return best !== undefined && alike(best) >= 3 ? best : undefined;
}
