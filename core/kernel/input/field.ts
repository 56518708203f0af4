import type { Violation } from "../../error.ts";

/** A violation in a parsed document, by its path. */
export interface Issue {
  path: PropertyKey[];
  message: string;
  /** Paths of other values that the rule reads. */
  beside?: PropertyKey[][];
}

/**
 * The limit of the length of a field's name; deeper members are left out, because names may be long and many.
 */
const enough = 400;

/** A path in the form that violations have, such as `spec.nics[0].mac`. */
export function fieldOf(path: PropertyKey[]): string {
  return path.reduce<string>((field, part) => {
    if (field.length > enough) return field;
    if (typeof part === "number") return `${field}[${part}]`;
    return field === "" ? String(part) : `${field}.${String(part)}`;
  }, "");
}

/** The issue as a violation. */
export const violationOf = ({ path, message, beside }: Issue): Violation => ({
  field: fieldOf(path),
  message,
  ...(beside && { beside: beside.map(fieldOf) }),
});

/** The path that a field names; keys that contain dots are split. */
export function pathOf(field: string): PropertyKey[] {
  return [...field.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([part, index]) =>
    index === undefined ? part : Number(index),
  );
}

/** The value at a path; undefined where there is none. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (part, name) =>
      typeof part === "object" && part !== null && Object.hasOwn(part, name)
        ? Reflect.get(part, name)
        : undefined,
    value,
  );
