import * as z from "zod";
import type { Json } from "../../../core/input/shape.ts";
import document from "../../../functions/api/openapi.json" with { type: "json" };

/** The committed OpenAPI document, as far as requests are made and answers judged by it. */

/** The keywords that our schemas use. */
export interface Schema {
  $ref?: string;
  type?: "object" | "array" | "string" | "integer" | "number" | "boolean" | "null";
  const?: Json;
  enum?: Json[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

export interface Operation {
  /** Area, subject and verb, as `permissions.ts` has them. */
  id: string;
  method: string;
  path: string;
  parameters: { name: string; in: string; schema: Schema }[];
  body: Schema | undefined;
  responses: Record<string, Content & { $ref?: string }>;
}

const components: { schemas: Record<string, Schema>; responses: Record<string, Content> } =
  document.components as never; // JSON has no types of its own.

interface Written extends Pick<Operation, "responses"> {
  operationId?: string;
  parameters?: Operation["parameters"];
  requestBody?: Required<Content>;
}

/** All but those that anybody may ask. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Written>).flatMap(([method, written]) => {
    const { operationId: id, parameters = [], requestBody, responses } = written;
    const body = requestBody?.content["application/json"]?.schema;
    return id === undefined
      ? []
      : [{ id, method: method.toUpperCase(), path, parameters, body, responses }];
  }),
);

const nameIn = (reference: string): string => reference.split("/").at(-1) ?? "";

export function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[nameIn(schema.$ref)] ?? {});
}

/** What may come with a status, by media type; undefined for a status that may not come. */
export function contentOf({ responses }: Operation, status: number) {
  const response = responses[String(status)];
  if (!response) return undefined;
  return (response.$ref ? components.responses[nameIn(response.$ref)] : response)?.content ?? {};
}

const judges = new Map<Schema, z.ZodType>();

/** Says what of a value the schema does not describe: what it does not name is wrong, too. */
export function faultsIn(schema: Schema, value: unknown): string | undefined {
  const judge = judges.get(schema) ?? z.fromJSONSchema(strict(schema) as never);
  judges.set(schema, judge);
  const { error } = judge.safeParse(value);
  return error && z.prettifyError(error);
}

function strict(schema: Schema): Schema {
  const whole = resolved(schema);
  const { properties, items, anyOf, oneOf, additionalProperties } = whole;
  return {
    ...whole,
    ...(items && { items: strict(items) }),
    ...(anyOf && { anyOf: anyOf.map(strict) }),
    ...(oneOf && { oneOf: oneOf.map(strict) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, strict(member)]),
      ),
    }),
    ...(properties && { additionalProperties: false }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: strict(additionalProperties),
    }),
  };
}
