import type { Json } from "../../../core/kernel/input/shape.ts";

/** Values in a filter. An absent value is undefined; as in SQL, comparing it gives neither true nor false. */
export type FilterValue = Json | undefined;
export type Truth = boolean | undefined;

export function equal(a: FilterValue, b: FilterValue): Truth {
  if (a === undefined || b === undefined) return undefined;
  if (a === b) return true;
  // A reference equals its id or its name.
  if (isReference(a) && typeof b === "string") return a.id === b || a.name === b;
  if (isReference(b) && typeof a === "string") return equal(b, a);
  if (isReference(a) && isReference(b)) return a.id === b.id && a.name === b.name;
  // Other objects are not compared: they may be very large, and a filter may compare very often.
  return typeof a === "object" && typeof b === "object" ? undefined : false;
}

export function less(a: FilterValue, b: FilterValue): Truth {
  if (typeof a === "string" && typeof b === "string") return a < b;
  if (typeof a === "number" && typeof b === "number") return a < b;
  return undefined;
}

export const not = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);

export function and(a: Truth, b: () => Truth): Truth {
  if (a === false) return false;
  const second = b();
  return second === false ? false : a === undefined ? undefined : second;
}

export function or(a: Truth, b: () => Truth): Truth {
  if (a === true) return true;
  const second = b();
  return second === true ? true : a === undefined ? undefined : second;
}

export const asTruth = (value: FilterValue): Truth =>
  typeof value === "boolean" ? value : undefined;

export function arithmetic(
  op: "+" | "-" | "*" | "/" | "%",
  a: FilterValue,
  b: FilterValue,
): FilterValue {
  if (typeof a !== "number" || typeof b !== "number") return undefined;
  if (op === "+") return a + b;
  if (op === "-") return a - b;
  if (op === "*") return a * b;
  if (b === 0) return undefined;
  return op === "/" ? a / b : a % b;
}

const isReference = (value: Json): value is { id?: Json; name?: Json } =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  ("id" in value || "name" in value);
