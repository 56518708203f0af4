import * as z from "zod";
import type { Json } from "../../../core/kernel/input/shape.ts";
import document from "../../../functions/api/generated/openapi.json" with { type: "json" };

/** The committed OpenAPI document, as far as requests are made and answers judged by it. */

type TypeName = "object" | "array" | "string" | "integer" | "number" | "boolean" | "null";

/** The keywords that our schemas use. */
export interface Schema {
  $ref?: string;
  type?: TypeName | TypeName[];
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
  content?: Record<string, { schema: Schema; example?: unknown }>;
}

export interface Operation {
  /** Area, subject and verb, as `permissions.ts` has them. */
  id: string;
  method: string;
  path: string;
  /** Names the roles that may call it. */
  description: string;
  parameters: { name: string; in: string; schema: Schema }[];
  body: Schema | undefined;
  /** The example of the body. */
  example: unknown;
  responses: Record<string, Content & { $ref?: string }>;
}

type Parameter = Operation["parameters"][number];

// JSON has no types of its own.
const components: {
  schemas: Record<string, Schema>;
  requestBodies: Record<string, Content>;
  responses: Record<string, Content>;
  parameters: Record<string, Parameter>;
} = document.components as never;

interface Written extends Pick<Operation, "description" | "responses"> {
  operationId: string;
  /** Empty for what anybody may ask. */
  security?: object[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { $ref: string };
}

/** All but those that anybody may ask. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Written>).flatMap(([method, written]) => {
    const { operationId: id, description, requestBody, responses, security } = written;
    if (security) return [];
    const parameters = (written.parameters ?? []).map(resolvedParameter);
    const { schema: body, example } = bodyOf(requestBody) ?? {};
    const rest = { description, parameters, body, example, responses };
    return [{ id, method: method.toUpperCase(), path, ...rest }];
  }),
);

/** The example of what is posted to a path. */
export const exampleAt = (path: string): unknown =>
  operations.find((operation) => operation.method === "POST" && operation.path === path)?.example;

function nameIn(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}

function bodyOf(requestBody: Written["requestBody"]) {
  if (!requestBody) return undefined;
  const body = components.requestBodies[nameIn(requestBody.$ref)]?.content?.["application/json"];
  if (!body) throw new Error(`there is no body ${requestBody.$ref}`);
  return body;
}

function resolvedParameter(written: Parameter | { $ref: string }): Parameter {
  if (!("$ref" in written)) return written;
  const parameter = components.parameters[nameIn(written.$ref)];
  if (!parameter) throw new Error(`there is no parameter ${written.$ref}`);
  return parameter;
}

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
export function faultsIn(schema: Schema | z.ZodType, value: unknown): string | undefined {
  const judge = schema instanceof z.ZodType ? schema : judgeOf(schema);
  const { error } = judge.safeParse(value);
  return error && z.prettifyError(error);
}

function judgeOf(schema: Schema): z.ZodType {
  const judge = judges.get(schema) ?? z.fromJSONSchema(strict(schema) as never);
  judges.set(schema, judge);
  return judge;
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
