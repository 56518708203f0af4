import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { folderOf } from "./folder-of.ts";

/** What of a CRD's openAPIV3Schema decides whether a server takes an object. */
interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  enum?: unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
}

interface CustomResourceDefinition {
  kind: string;
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
  };
}

/** The schemas of the CRDs in the folder that `CRD_DIR` names, by `apiVersion/kind`; none where it is not set. */
export function loadSchemas(): Map<string, Schema> {
  const folder = folderOf("CRD_DIR");
  const schemas = new Map<string, Schema>();
  if (folder === undefined) return schemas;
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(".yaml")) continue;
    const { spec }: CustomResourceDefinition = parse(readFileSync(join(folder, file), "utf8"));
    for (const { name, schema } of spec.versions) {
      schemas.set(`${spec.group}/${name}/${spec.names.kind}`, schema.openAPIV3Schema);
    }
  }
  return schemas;
}

/** What a strict server would say against the value: one line each, beginning with the path. */
export function violations(schema: Schema, value: unknown, path = ""): string[] {
  if (schema["x-kubernetes-int-or-string"]) {
    const fits = typeof value === "string" || Number.isInteger(value);
    return fits ? [] : [`${path}: must be an integer or a string`];
  }
  if (schema.enum && !schema.enum.includes(value)) {
    return [`${path}: must be one of ${JSON.stringify(schema.enum)}`];
  }
  switch (schema.type) {
    case "object":
      return isTree(value) ? ofObject(schema, value, path) : [`${path}: must be an object`];
    case "array":
      return Array.isArray(value) ? ofArray(schema, value, path) : [`${path}: must be an array`];
    case "string":
      return typeof value === "string"
        ? ofString(schema, value, path)
        : [`${path}: must be a string`];
    case "integer":
    case "number":
      return typeof value === "number"
        ? ofNumber(schema, value, path)
        : [`${path}: must be a number`];
    case "boolean":
      return typeof value === "boolean" ? [] : [`${path}: must be a boolean`];
    default:
      return [];
  }
}

function ofObject(schema: Schema, value: Record<string, unknown>, path: string): string[] {
  const missing = (schema.required ?? [])
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => `${path}.${name}: is required`);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const inner = schema.properties?.[name] ?? schema.additionalProperties;
    if (typeof inner === "object") return violations(inner, member, `${path}.${name}`);
    // The server itself defines metadata, and CRDs leave it open.
    const open =
      inner === true ||
      schema["x-kubernetes-preserve-unknown-fields"] === true ||
      (schema.properties === undefined && path === ".metadata");
    return open ? [] : [`${path}.${name}: is unknown`];
  });
  return [...missing, ...members];
}

function ofArray(schema: Schema, value: unknown[], path: string): string[] {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const size =
    value.length < minItems || value.length > maxItems
      ? [`${path}: has ${value.length} items`]
      : [];
  if (!items) return size;
  return [...size, ...value.flatMap((item, i) => violations(items, item, `${path}[${i}]`))];
}

function ofString(schema: Schema, value: string, path: string): string[] {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  const found: string[] = [];
  if (value.length < minLength || value.length > maxLength)
    found.push(`${path}: is too short or long`);
  if (pattern !== undefined && !new RegExp(pattern).test(value))
    found.push(`${path}: must match ${pattern}`);
  return found;
}

function ofNumber(schema: Schema, value: number, path: string): string[] {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  const found: string[] = [];
  if (schema.type === "integer" && !Number.isInteger(value))
    found.push(`${path}: must be an integer`);
  if (value < minimum || value > maximum) found.push(`${path}: is out of range`);
  return found;
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
