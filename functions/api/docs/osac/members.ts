import * as z from "zod";
import type { Kind } from "../../../../core/kernel/object/object.ts";
import { apiOf } from "../../schemas.ts";

/** The members of a kind's answers, without `metadata`, written as in `osac-members.json`. */
export const membersOf = (kind: Kind): string[] => {
  const { metadata: _, ...shape } = apiOf(kind).schema.shape;
  return pathsIn(shape);
};

const pathsIn = (shape: z.ZodRawShape): string[] =>
  Object.entries(shape).flatMap(([name, member]) =>
    pathsOf(member).map((path) => `${name}${path}`),
  );

/** A reference, a condition and every other value that is not a plain object is one member. */
function pathsOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return pathsOf(schema.unwrap());
  if (schema instanceof z.ZodRecord) return below(schema.valueType, ".*");
  if (schema instanceof z.ZodArray) return below(schema.element, "[]");
  if (!(schema instanceof z.ZodObject) || isWhole(schema)) return [""];
  return pathsIn(schema.shape).map((path) => `.${path}`);
}

const below = (schema: z.core.$ZodType, mark: string): string[] =>
  pathsOf(schema).map((path) => (path === "" ? "" : `${mark}${path}`));

const isWhole = ({ shape }: z.ZodObject): boolean =>
  "last_transition_time" in shape || Object.keys(shape).join() === "id,name";
