import * as z from "zod";
import type { Json } from "../../kernel/store/store.ts";

/**
 * A parameter of a template: a scalar with a JSON Schema, or any JSON, because OSAC's `Any` values can be lists and
 * objects. `constraintsSchema` has the keywords of the schema; `core/resources/cluster-template/content/parameters.ts`
 * checks values.
 */

export const scalarTypes = ["string", "integer", "number", "boolean"] as const;
/** `json` is stored and answered, but manifests cannot use it, because it would become structure. */
export const parameterTypes = [...scalarTypes, "json"] as const;
export type ParameterType = (typeof parameterTypes)[number];

/** Formats of JSON Schema 2020-12 that are enforced. */
const formats = [
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "time",
  "uri",
  "uuid",
] as const;

/** Numbers that every store can hold. */
export const numberSchema = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** Keywords of JSON Schema 2020-12 that constrain a scalar. */
export const constraintsSchema = z.strictObject({
  enum: z
    .array(z.union([z.string(), numberSchema, z.boolean()]))
    .min(1)
    .max(100)
    .optional()
    .describe("The allowed values."),
  minimum: numberSchema.optional().describe("The minimum of a number."),
  maximum: numberSchema.optional().describe("The maximum of a number."),
  exclusiveMinimum: numberSchema.optional().describe("The exclusive minimum of a number."),
  exclusiveMaximum: numberSchema.optional().describe("The exclusive maximum of a number."),
  multipleOf: numberSchema
    .positive()
    .optional()
    .describe("The number that a value must be a multiple of."),
  minLength: z.int().min(0).optional().describe("The minimum length of a text."),
  maxLength: z.int().min(0).optional().describe("The maximum length of a text."),
  pattern: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe("Regular expression that a text must match."),
  format: z.enum(formats).optional().describe("What kind of text it must be."),
});
export type ValueConstraints = z.infer<typeof constraintsSchema>;

/** Parameters are members of the order's `template_parameters`, by name. */
export const parameterNameSchema = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/,
    "must be 1 to 63 letters, digits, '_' or '-', not starting with a digit or '-'",
  );

export interface Parameter {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  type: ParameterType;
  required?: boolean | undefined;
  /** The value for orders without one. */
  default?: Json;
  /** The constraints on a value besides its type. */
  schema?: ValueConstraints | undefined;
}

/** Whether a JSON value is of a parameter's type. */
export function hasType(value: Json | undefined, type: ParameterType): boolean {
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "json") return value !== undefined;
  return typeof value === type;
}
