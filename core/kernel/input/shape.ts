import * as z from "zod";

/** The type in a schema, without its wrappers such as optional and default. */
export type SchemaShape =
  | { is: "object"; members: Record<string, z.core.$ZodType> }
  | { is: "map"; value: z.core.$ZodType }
  | { is: "list"; item: z.core.$ZodType }
  | { is: "enum"; names: string[] }
  | { is: "number" }
  | { is: "value" };

const shapes = new WeakMap<z.core.$ZodType, SchemaShape>();

/** Cached, because schemas never change and a body may have very many members of one schema. */
export function schemaShapeOf(schema: z.core.$ZodType): SchemaShape {
  const known = shapes.get(schema);
  if (known) return known;
  const shape = read(schema);
  shapes.set(schema, shape);
  return shape;
}

function read(schema: z.core.$ZodType): SchemaShape {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return schemaShapeOf(schema.unwrap());
  }
  if (schema instanceof z.ZodPipe) return schemaShapeOf(schema.in);
  if (schema instanceof z.ZodObject) return { is: "object", members: schema.shape };
  if (schema instanceof z.ZodRecord) return { is: "map", value: schema.valueType };
  if (schema instanceof z.ZodArray) return { is: "list", item: schema.element };
  if (schema instanceof z.ZodEnum) return { is: "enum", names: schema.options.map(String) };
  if (schema instanceof z.ZodNumber) return { is: "number" };
  if (schema instanceof z.ZodUnion) {
    const shapes = schema.options.map(schemaShapeOf);
    return shapes.find((shape) => shape.is === "object") ?? { is: "value" };
  }
  return { is: "value" };
}

export type Json = z.core.util.JSONType;
export interface JsonObject {
  [member: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
