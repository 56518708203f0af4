import { isObject, type Json, type JsonObject } from "../../../kernel/input/shape.ts";
import type { Offerable } from "./item.ts";

/** The paths below an order's spec, for offers, and the values of an order at them. */

/** All values of a spec by path, without empty values. */
export function leavesOf(
  { isLeaf }: Pick<Offerable, "isLeaf">,
  spec: JsonObject,
): Map<string, Json> {
  const leaves = new Map<string, Json>();
  const walk = (value: Json | undefined, path: string): void => {
    if (value === undefined || value === null || value === "") return;
    if (Array.isArray(value) && value.length === 0) return;
    if (isObject(value) && !isLeaf(path)) {
      for (const [member, child] of Object.entries(value))
        walk(child, path === "" ? member : `${path}.${member}`);
    } else leaves.set(path, value);
  };
  walk(spec, "");
  return leaves;
}

/** The spec with this value at a path. */
export function withLeaf(spec: JsonObject, path: string, value: Json): JsonObject {
  const [member = "", ...rest] = path.split(".");
  const child = Object.hasOwn(spec, member) ? spec[member] : undefined;
  const inner =
    rest.length === 0 ? value : withLeaf(isObject(child) ? child : {}, rest.join("."), value);
  return Object.fromEntries([
    ...Object.entries(spec).filter(([key]) => key !== member),
    [member, inner],
  ]);
}

export const isAtOrUnder = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above}.`);
