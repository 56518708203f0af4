import document from "../openapi.json" with { type: "json" };

/** The OpenAPI document, as the reference shows it. */

/** The keywords that our schemas use. */
export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

type Content = Record<string, { schema: Schema; example?: unknown }>;

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  schema: Schema;
}

interface Written {
  operationId?: string;
  summary: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; content?: Content }>;
}

export interface Operation extends Written {
  id: string;
  method: string;
  path: string;
  tag: string;
}

/** JSON has no types of its own. */
const {
  paths: written,
  components,
  tags: described,
} = document as unknown as {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Written>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};

export const operations: Operation[] = Object.entries(written).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [], ...operation }]) => ({
    ...operation,
    parameters: parameters.map((one) => components.parameters[nameIn(one.$ref ?? "")] ?? one),
    id: operation.operationId ?? path,
    method: method.toUpperCase(),
    path,
    tag: operation.tags?.[0] ?? "everybody",
  })),
);

/** What each tag is about. */
export const tags: Record<string, string> = {
  ...Object.fromEntries(described.map(({ name, description }) => [name, description])),
};

export function nameIn(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}

export const schemaNamed = (name: string): Schema => components.schemas[name] ?? {};

export const documentText = (): string => JSON.stringify(document);
