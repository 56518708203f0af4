import * as z from "zod";
import type { KubeInput, ResourceKind } from "./object.ts";
import { isObject, type JsonObject, sameJson, valueAt } from "./paths.ts";
import { badRequest, type FieldError, invalid, misfit } from "./status.ts";

/** The members of `metadata` that a client may send. Those that the server owns are checked elsewhere. */
const metadataSchema = z.strictObject({
  name: z.string().optional(),
  generateName: z.string().optional(),
  namespace: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
  finalizers: z.array(z.string()).optional(),
  ownerReferences: z
    .array(
      z.strictObject({
        apiVersion: z.string(),
        kind: z.string(),
        name: z.string(),
        uid: z.string(),
        controller: z.boolean().optional(),
        blockOwnerDeletion: z.boolean().optional(),
      }),
    )
    .optional(),
});

const serverMetadata = [
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "managedFields",
  "selfLink",
];

/**
 * The strict schema of a kind: the common members of all objects, and the kind's own. `status` is not checked, since
 * only its subresource or an operator writes it.
 */
export function objectSchema<Shape extends z.ZodRawShape>(members: Shape) {
  return z.strictObject({
    apiVersion: z.string(),
    kind: z.string(),
    metadata: metadataSchema,
    // The type, for `kubectl explain`.
    status: z.unknown().meta({ type: "object" }).optional(),
    ...members,
  });
}

export type FieldValidation = "Strict" | "Warn" | "Ignore";

export interface Validated {
  object: KubeInput;
  /** Unknown fields that were dropped. */
  dropped: string[];
}

/**
 * Validates an object against its kind's schema, and returns it with defaults. Unknown fields are refused with 400 when
 * `fields` is Strict, and dropped otherwise; all other errors are 422.
 */
export function validate(kind: ResourceKind, input: KubeInput, fields: FieldValidation): Validated {
  const schema = schemaOf(kind);
  const { candidate, server } = apart(input);
  const dropped: string[] = [];
  let parsed = schema.safeParse(candidate, namingTypes);
  while (!parsed.success) {
    const issues = parsed.error.issues.flatMap((issue) => flatten(issue));
    const unknown = issues.flatMap(unknownFields);
    if (unknown.length === 0) {
      requireDecoded(kind, issues, candidate);
      const errors = issues.map((issue) => fieldError(issue, candidate));
      throw invalid(kind, input.metadata.name ?? "", errors);
    }
    if (fields === "Strict") {
      const named = unknown.map((path) => `unknown field "${dotted(path)}"`);
      throw badRequest(`strict decoding error: ${named.join(", ")}`);
    }
    for (const path of unknown) {
      dropped.push(dotted(path));
      removeAt(candidate, path);
    }
    parsed = schema.safeParse(candidate, namingTypes);
  }
  // The schema describes an object; the server's own metadata is added again.
  const output = parsed.data as KubeInput;
  return { object: { ...output, metadata: { ...output.metadata, ...server } }, dropped };
}

/**
 * The first check of a server-side apply, whatever validation the client requests: each member must belong to the kind
 * and have its type. Throws the real server's 500, which names all wrong members.
 */
export function requireTyped(kind: ResourceKind, input: KubeInput): void {
  const { candidate } = apart(input);
  const parsed = schemaOf(kind).safeParse(candidate, namingTypes);
  const issues = parsed.error?.issues.flatMap((issue) => flatten(issue)) ?? [];
  const errors = [
    ...issues
      .flatMap(unknownFields)
      .map((path) => `.${dotted(path)}: field not declared in schema`),
    ...issues.flatMap((issue) => {
      const expected = expectedType(issue, valueIn(candidate, issue.path));
      return expected === undefined ? [] : [`.${dotted(issue.path)}: ${expected}`];
    }),
  ];
  if (errors.length > 0) throw misfit(kind, input.metadata, errors);
}

const schemaOf = (kind: ResourceKind): z.ZodType =>
  kind.spec ?? z.looseObject({ metadata: metadataSchema });

/** The object in two parts: the members in the kind's schema, and the server's own metadata. */
function apart(input: KubeInput): { candidate: JsonObject; server: JsonObject } {
  const object = structuredClone(input);
  const server: JsonObject = {};
  const metadata: JsonObject = { ...object.metadata };
  for (const name of serverMetadata) {
    if (Object.hasOwn(metadata, name)) server[name] = metadata[name];
    delete metadata[name];
  }
  return { candidate: { ...object, metadata }, server };
}

/** The errors of immutable fields that change. */
export function immutableErrors(
  kind: ResourceKind,
  before: KubeInput,
  after: KubeInput,
): FieldError[] {
  return (kind.immutable ?? []).flatMap((rule): FieldError[] => {
    const field = typeof rule === "string" ? rule : rule.path;
    const path = field.split(".");
    const [was, is] = [valueAt(before, path), valueAt(after, path)];
    if (was === undefined || sameJson(was, is)) return [];
    const last = path.at(-1) ?? "";
    const why =
      typeof rule === "string"
        ? `${last.charAt(0).toUpperCase()}${last.slice(1)} is immutable`
        : rule.message;
    const message = `Invalid value: "${typeName(is === undefined ? was : is)}": ${why}`;
    return [{ reason: "FieldValueInvalid", field, message }];
  });
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** For a union, the issues of the alternative that matches best. */
function flatten(issue: Issue, prefix: Path = []): Issue[] {
  const path = [...prefix, ...issue.path];
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [{ ...issue, path }];
  const closest = issue.errors.toSorted((a, b) => a.length - b.length)[0] ?? [];
  return closest.flatMap((inner) => flatten(inner, path));
}

function unknownFields(issue: Issue): Path[] {
  return issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [];
}

/** An apply's message for a wrong type; undefined when the type is right or the member is absent. */
function expectedType(issue: Issue, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (issue.code === "invalid_value") {
    const isText = typeof value === "string" || typeof issue.values[0] !== "string";
    return isText ? undefined : expected("string", value);
  }
  return issue.code === "invalid_type" ? expected(issue.message, value) : undefined;
}

function expected(type: string, value: unknown): string | undefined {
  switch (type) {
    case "string":
      return `expected string, got &value.valueUnstructured{Value:${JSON.stringify(value)}}`;
    case "integer":
    case "number":
      if (typeof value === "number") return undefined;
      return `expected numeric (int or float), got ${typeof value === "boolean" ? "bool" : typeof value}`;
    default: {
      const name = { array: "list", object: "map" }[type] ?? type;
      return `expected ${name}, got &{${JSON.stringify(value)}}`;
    }
  }
}

/** Marks a custom issue that a real server finds while it decodes the body: status 400. */
export const undecodable = { undecodable: true };

/** Built-in kinds have compiled types: a wrong type is a 400 that names only the first error. */
function requireDecoded(kind: ResourceKind, issues: Issue[], candidate: JsonObject): void {
  if (!kind.builtIn) return;
  for (const issue of issues) {
    const value = valueIn(candidate, issue.path);
    let why: string | undefined;
    if (issue.code === "custom" && issue.params === undecodable) why = issue.message;
    if (issue.code === "invalid_type" && value !== undefined) {
      const field = `${kind.kind}.${dotted(issue.path)}`;
      why = `json: cannot unmarshal ${typeName(value)} into Go struct field ${field} of type ${issue.message}`;
    }
    if (why) {
      throw badRequest(
        `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${why}`,
      );
    }
  }
}

/** Marks a custom issue whose message is the server's whole message about the field. */
export const verbatim = { verbatim: true };

/** Converts an issue to the message of a CRD's validation. */
function fieldError(issue: Issue, candidate: JsonObject): FieldError {
  const field = dotted(issue.path);
  const value = valueIn(candidate, issue.path);
  if (issue.code === "custom" && issue.params === verbatim) {
    return { reason: "FieldValueInvalid", field, message: issue.message };
  }
  if (value === undefined) {
    return { reason: "FieldValueRequired", field, message: "Required value" };
  }
  const type = typeName(value);
  if (issue.code === "invalid_value") {
    const supported = issue.values.map((allowed) => `"${String(allowed)}"`).join(", ");
    const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`;
    return { reason: "FieldValueNotSupported", field, message };
  }
  if (issue.code === "invalid_type") {
    // Safe: `namingTypes` has put the expected type into the message.
    const message = `Invalid value: "${type}": ${field} in body must be of type ${issue.message}: "${type}"`;
    return { reason: "FieldValueTypeInvalid", field, message };
  }
  const shown = typeof value === "object" ? `"${type}"` : JSON.stringify(value);
  const message = `Invalid value: ${shown}: ${issue.message}`;
  return { reason: "FieldValueInvalid", field, message };
}

/** Makes zod's messages name the expected type in JSON Schema's terms. */
const namingTypes: z.core.ParseContext<z.core.$ZodIssue> = {
  error: (issue) => {
    if (issue.code !== "invalid_type") return undefined;
    // zod first expects a number, and only then an integer.
    const isInteger = issue.expected === "int" || issue.inst instanceof z.ZodNumberFormat;
    if (isInteger) return "integer";
    return issue.expected === "record" ? "object" : issue.expected;
  },
};

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** `spec.services[0].service` */
function dotted(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      return index === 0 ? String(step) : `.${String(step)}`;
    })
    .join("");
}

function valueIn(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    at = Array.isArray(at) ? at[Number(step)] : valueAt(at, [String(step)]);
  }
  return at;
}

function removeAt(value: JsonObject, path: Path): void {
  const parent = valueIn(value, path.slice(0, -1));
  if (isObject(parent)) delete parent[String(path.at(-1))];
}
