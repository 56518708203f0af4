import type * as z from "zod";
import { AppError } from "../../error.ts";
import { canonicalPath } from "./names.ts";
import { referenceInputSchema } from "./reference.ts";
import { isObject, type Json, type JsonObject, schemaShapeOf } from "./shape.ts";

/**
 * PATCH as OSAC defines it (docs/reference/osac-rest.md §2): objects are merged member by member; scalars, lists and
 * maps are replaced whole, and so is a reference that is given by its id or its name; `null` clears; `{}` in place of
 * an object empties it. A POST is merged into `{}` in the same way.
 */
export function merged(schema: z.core.$ZodType, current: Json, change: JsonObject): JsonObject {
  const shape = schemaShapeOf(schema);
  const members = shape.is === "object" ? shape.members : {};
  const result = new Map(Object.entries(isObject(current) ? current : {}));
  for (const [name, value] of Object.entries(change)) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    // A null for an unknown member is kept, so that the member is refused.
    if (value === null && member !== undefined) {
      result.delete(name);
      continue;
    }
    const isMessage = member !== undefined && schemaShapeOf(member).is === "object";
    const descend = isMessage && isObject(value) && Object.keys(value).length > 0;
    const before = member && namesAnother(member, value) ? {} : (result.get(name) ?? {});
    result.set(name, descend ? merged(member, before, value) : value);
  }
  return Object.fromEntries(result);
}

/**
 * Whether a change names another object in a reference. Then the change replaces the whole reference, because a mix of
 * the old id and the new name would be invalid.
 */
function namesAnother(schema: z.core.$ZodType, value: Json | undefined): boolean {
  return (
    isReference(schema) &&
    isObject(value) &&
    ["id", "name"].some((key) => (value[key] ?? "") !== "")
  );
}

const isReference = (schema: z.core.$ZodType): boolean =>
  schemaShapeOf(schema) === schemaShapeOf(referenceInputSchema);

/**
 * Applies only the paths of the mask: each is set, or cleared if the change lacks it; a path below a key of a map keeps
 * the rest of that entry. Throws Invalid for a path that names no member.
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
  const result = structuredClone(current);
  for (const path of paths) {
    const whole = path && wholeReference(schema, path, change);
    if (whole) setAt(result, whole, at(change, whole));
  }
  return result;
}

/** The path to the id or name of a reference means the whole reference. */
function wholeReference(schema: z.core.$ZodType, path: string[], change: JsonObject): string[] {
  const parent = path.slice(0, -1);
  const member = memberAt(schema, parent);
  return member && namesAnother(member, at(change, parent)) ? parent : path;
}

function memberAt(schema: z.core.$ZodType, path: string[]): z.core.$ZodType | undefined {
  return path.reduce<z.core.$ZodType | undefined>((part, name) => {
    const shape = part && schemaShapeOf(part);
    if (shape?.is === "map") return shape.value;
    return shape?.is === "object" ? shape.members[name] : undefined;
  }, schema);
}

function at(value: Json | undefined, path: string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (part, name) => (isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    value,
  );
}

/** Changes the object in place, because a mask may contain very many paths. */
function setAt(object: JsonObject, [name = "", ...rest]: string[], value: Json | undefined): void {
  const child = Object.hasOwn(object, name) ? object[name] : undefined;
  if (rest.length > 0) {
    const inner = isObject(child) ? child : {};
    setAt(inner, rest, value);
    put(object, name, inner);
  } else if (value === undefined || value === null) Reflect.deleteProperty(object, name);
  else put(object, name, structuredClone(value));
}

/** Sets an own property, even for names such as `__proto__`. */
const put = (object: JsonObject, name: string, value: Json): boolean =>
  Reflect.defineProperty(object, name, {
    ...{ value, enumerable: true, writable: true, configurable: true },
  });
