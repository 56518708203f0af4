import type * as z from "zod";
import { AppError } from "../error.ts";
import { canonicalPath } from "./names.ts";
import { isObject, type Json, type JsonObject, shapeOf } from "./shape.ts";

/**
 * PATCH as OSAC has it (reference/osac-rest.md §3): objects are descended into; scalars, lists and
 * maps are replaced whole; `null` clears; `{}` where an object stands empties it. Also makes the
 * whole of a POST, on `{}`.
 */
export function merged(schema: z.core.$ZodType, current: Json, change: JsonObject): JsonObject {
  const shape = shapeOf(schema);
  const members = shape.is === "object" ? shape.members : {};
  const result = new Map(Object.entries(isObject(current) ? current : {}));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) {
      result.delete(name);
      continue;
    }
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    const isMessage = member !== undefined && shapeOf(member).is === "object";
    const descend = isMessage && isObject(value) && Object.keys(value).length > 0;
    result.set(name, descend ? merged(member, result.get(name) ?? {}, value) : value);
  }
  return Object.fromEntries(result);
}

/**
 * Only what the paths of the mask name, each set or (absent from the change) cleared; a path below
 * a key of a map keeps the rest of that entry. Throws Invalid for a path that names nothing.
 */
export function masked(
  schema: z.core.$ZodType,
  current: JsonObject,
  change: JsonObject,
  mask: string[],
): JsonObject {
  const paths = mask.map((path) => canonicalPath(schema, path));
  const unknown = mask.filter((_, n) => paths[n] === undefined);
  if (unknown.length > 0) {
    throw new AppError("Invalid", `update_mask names unknown fields: ${unknown.join(", ")}`, {
      violations: unknown.map((path) => ({
        field: path,
        message: "is not a field of this object",
      })),
    });
  }
  return paths.reduce<JsonObject>(
    (object, path) => (path ? withPath(object, path, at(change, path)) : object),
    current,
  );
}

function at(value: Json | undefined, path: string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (part, name) => (isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    value,
  );
}

function withPath(
  object: JsonObject,
  [name = "", ...rest]: string[],
  value: Json | undefined,
): JsonObject {
  const result = new Map(Object.entries(object));
  const child = result.get(name);
  if (rest.length > 0) result.set(name, withPath(isObject(child) ? child : {}, rest, value));
  else if (value === undefined || value === null) result.delete(name);
  else result.set(name, value);
  return Object.fromEntries(result);
}
