import type { ApiOperation, Flag } from "./operations.ts";

/** Reads from an OpenAPI document what commands need. */

interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  /** The member is secret: it gets no option, since processes and shell histories show options. */
  writeOnly?: boolean;
  properties?: Record<string, Schema>;
}

interface Described {
  operationId: string;
  summary: string;
  parameters?: { $ref: string }[];
  requestBody?: { $ref: string };
}

export interface Document {
  paths: Record<string, Record<string, Described>>;
  components: {
    parameters: Record<string, { name: string; in: string }>;
    requestBodies: Record<string, { content: Record<string, { schema: Schema }> }>;
    schemas: Record<string, Schema>;
  };
}

/** The kinds' declarations of their actions' commands, by `<kind>.<verb>`. */
export type Declared = ReadonlyMap<string, { command?: string; destroys: boolean }>;

/** Members that Slipway writes, or that have their own options. */
const special = ["id", "metadata", "spec", "status"];

export function operationsOfDocument(document: Document, declared: Declared): ApiOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, described]) => {
      const method = name.toUpperCase() as ApiOperation["method"];
      const operation = operationOf(document, path, method, described);
      const { command, destroys } = declared.get(operation.id.replace(/^\w+\./, "")) ?? {};
      return { ...operation, ...(command && { command }), ...(destroys && { destroys }) };
    }),
  );
}

function operationOf(
  document: Document,
  path: string,
  method: ApiOperation["method"],
  { operationId, summary, parameters = [], requestBody }: Described,
): ApiOperation {
  const known = parameters.flatMap(
    ({ $ref }) => document.components.parameters[nameIn($ref)] ?? [],
  );
  const described = requestBody && document.components.requestBodies[nameIn(requestBody.$ref)];
  const schema = described?.content["application/json"]?.schema;
  const body = schema && resolved(document, schema);
  const flags = body ? flagsOf(document, body) : [];
  const secrets = body ? secretsOf(document, body) : [];
  return {
    id: operationId,
    method,
    path,
    summary,
    query: known.filter((each) => each.in === "query").map(({ name }) => name),
    ...(Object.keys(body?.properties ?? {}).length > 0 && { body: true as const }),
    ...(known.some(({ name }) => name === "Idempotency-Key") && { keyed: true as const }),
    ...(flags.length > 0 && { flags }),
    ...(secrets.length > 0 && { secrets }),
  };
}

function secretsOf(document: Document, schema: Schema, path: readonly string[] = []): string[] {
  const { writeOnly = false, properties = {} } = resolved(document, schema);
  if (writeOnly) return [path.join(".")];
  return Object.entries(properties).flatMap(([name, each]) =>
    secretsOf(document, each, [...path, name]),
  );
}

/** The members of an input and of its spec that one word can express. */
function flagsOf(document: Document, { properties = {} }: Schema): Flag[] {
  const spec = properties.spec ? resolved(document, properties.spec).properties : {};
  const own = Object.entries(properties).filter(([name]) => !special.includes(name));
  return [
    ...own.flatMap(([name, schema]) => flagOf(name, name, schema)),
    ...Object.entries(spec ?? {}).flatMap(([name, schema]) => flagOf(name, `spec.${name}`, schema)),
  ];
}

function flagOf(name: string, path: string, schema: Schema): Flag[] {
  const { $ref, type, description = "", writeOnly = false } = schema;
  if (writeOnly) return [];
  const flag = { name: name.replaceAll("_", "-"), path, description };
  if ($ref?.endsWith("/ReferenceInput")) return [{ ...flag, type: "reference" }];
  return type === "string" || type === "integer" || type === "boolean" ? [{ ...flag, type }] : [];
}

const nameIn = (ref: string): string => ref.split("/").at(-1) ?? "";

function resolved(document: Document, schema: Schema): Schema {
  return schema.$ref ? (document.components.schemas[nameIn(schema.$ref)] ?? {}) : schema;
}
