import * as z from "zod";
import { isObject, type Json } from "../../kernel/input/shape.ts";
import { numberSchema, type ParameterType } from "./parameter.ts";

/**
 * Template parameters on the wire: plain JSON, or protobuf's `Any` from OSAC's clients (docs/reference/osac-rest.md
 * §3, Any values). Slipway stores the plain value.
 */

const prefix = "type.googleapis.com/google.protobuf.";

const wrappers: Record<string, ParameterType> = {
  BoolValue: "boolean",
  Int32Value: "integer",
  Int64Value: "integer",
  FloatValue: "number",
  DoubleValue: "number",
  StringValue: "string",
  // In base64, like in protobuf's JSON.
  BytesValue: "string",
  Value: "json",
};

const wrapperOf: Record<ParameterType, string> = {
  boolean: "BoolValue",
  integer: "Int64Value",
  number: "DoubleValue",
  string: "StringValue",
  json: "Value",
};

/** JSON with numbers that every store can hold. */
const valueSchema: z.ZodType<Json, Json> = z.lazy(() =>
  z.union([
    z.string(),
    numberSchema,
    z.boolean(),
    z.null(),
    z.array(valueSchema),
    z.record(z.string(), valueSchema),
  ]),
);
const anySchema = z.strictObject({
  "@type": z
    .string()
    .describe(
      "URL of the protobuf type, such as `type.googleapis.com/google.protobuf.StringValue`.",
    ),
  value: valueSchema.describe("The value itself; 64-bit integers are texts."),
});
const error = "must be JSON with numbers up to 2^53, or an Any with @type and value";
/** A value with `@type` is an Any; any other value is plain. */
const plainSchema = valueSchema.refine((value) => value !== null && !isAny(value), { error });
export const parameterValueSchema = z.union([anySchema, plainSchema], { error });
export type ParameterValue = z.output<typeof parameterValueSchema>;
type Any = z.output<typeof anySchema>;

export const isAny = (value: Json): value is Json & Any => isObject(value) && "@type" in value;

/** The parameter type of a name, which is Slipway's own or a protobuf type URL. */
export function parameterType(name: string): ParameterType | undefined {
  if (Object.hasOwn(wrapperOf, name)) return name as ParameterType;
  const wrapper = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return Object.hasOwn(wrappers, wrapper) ? wrappers[wrapper] : undefined;
}

export const typeUrl = (type: ParameterType): string => prefix + wrapperOf[type];

/** The plain value and, for an Any, its declared type; `undefined` if the value is not of that type. */
export function unwrapped(
  value: ParameterValue,
): { value: Json; type?: ParameterType } | undefined {
  if (!isAny(value)) return { value };
  const type = parameterType(value["@type"]);
  if (!type) return undefined;
  const plain = value.value;
  // Protobuf's JSON writes 64-bit integers as strings.
  if (type === "integer" && typeof plain === "string" && /^-?\d{1,16}$/.test(plain)) {
    return { value: Number(plain), type };
  }
  return { value: plain, type };
}

function typeOf(value: Json): ParameterType {
  if (typeof value === "number") return Number.isSafeInteger(value) ? "integer" : "number";
  if (typeof value === "string") return "string";
  return typeof value === "boolean" ? "boolean" : "json";
}

/** The value in OSAC's wrapping: a whole number becomes an Int64Value, whose value is a string. */
export function wrapped(value: Json, type: ParameterType = typeOf(value)): Any {
  return { "@type": typeUrl(type), value: type === "integer" ? String(value) : value };
}
