import { misuse } from "./misuse.ts";
import type { Json } from "./store.ts";

export type JsonMap = { [member: string]: Json };

export function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The names in a dotted path such as `steps.JoinNodes.token`. */
export function namesOf(path: string): string[] {
  const names = path.split(".");
  if (names.includes("")) throw misuse(`"${path}" is not a path`);
  return names;
}

/** The value at a dotted path; undefined when the value, or a map on the way, does not exist. */
export function valueAt(item: Json | undefined, path: string): Json | undefined {
  let value = item;
  for (const name of namesOf(path)) value = isMap(value) ? member(value, name) : undefined;
  return value;
}

/** An own member of the map: a name such as `constructor` may come from outside. */
export function member(map: JsonMap, name: string): Json | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
