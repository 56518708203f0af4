import type * as z from "zod";
import { type SchemaShape, schemaShapeOf } from "../../../core/kernel/input/shape.ts";

/** Members of objects in a filter, by their schemas. */

/** The schema of a member; undefined if there is no such member. */
export function memberIn(schema: z.core.$ZodType, name: string): z.core.$ZodType | undefined {
  const shape = schemaShapeOf(schema);
  if (shape.is === "map") return shape.value;
  return shape.is === "object" && Object.hasOwn(shape.members, name)
    ? shape.members[name]
    : undefined;
}

export function isBoolean(schema: z.core.$ZodType): boolean {
  const { type } = schema._zod.def;
  if (type === "optional" && "innerType" in schema._zod.def)
    return isBoolean(schema._zod.def.innerType as z.core.$ZodType);
  return type === "boolean";
}

/**
 * The value of an absent member, as in OSAC's columns: an absent text of metadata is empty, and a missing
 * key in a map of texts equals no text.
 */
export type MemberAbsence = "empty" | "unlike";

const textOfMetadata = /\.metadata\.(name|tenant|project|creator|display_name|description)$/;

/**
 * How an absent text compares: OSAC stores texts of metadata as columns, and a key of a map only together with its
 * value.
 */
export function absence(
  schema: z.core.$ZodType | undefined,
  path: string,
  own: SchemaShape | undefined,
): { absent?: MemberAbsence } {
  if (textOfMetadata.test(path)) return { absent: "empty" };
  const isInMap = schema && schemaShapeOf(schema).is === "map" && own?.is === "value";
  return isInMap ? { absent: "unlike" } : {};
}
