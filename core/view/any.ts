import * as z from "zod";
import { numberSchema, type ParameterType } from "../model/parameter.ts";

/**
 * Template parameters on the wire: plain JSON, or protobuf's `Any` as OSAC's clients send it
 * (reference/osac-rest.md §4, Any values). Stored plain.
 */

export type Scalar = string | number | boolean;

const prefix = "type.googleapis.com/google.protobuf.";

const wrappers: Record<string, ParameterType> = {
  BoolValue: "boolean",
  Int32Value: "integer",
  Int64Value: "integer",
  FloatValue: "number",
  DoubleValue: "number",
  StringValue: "string",
};

const wrapperOf: Record<ParameterType, string> = {
  boolean: "BoolValue",
  integer: "Int64Value",
  number: "DoubleValue",
  string: "StringValue",
};

const scalarSchema = z.union([z.string(), numberSchema, z.boolean()]);
export const anySchema = z.strictObject({ "@type": z.string(), value: scalarSchema });
export const parameterValueSchema = z.union([scalarSchema, anySchema], {
  error: "must be a string, boolean or number (up to 2^53), or an Any with @type and value",
});
export type ParameterValue = z.output<typeof parameterValueSchema>;

/** The parameter type that a name stands for: our own, or a protobuf type URL. */
export function parameterType(name: string): ParameterType | undefined {
  if (Object.hasOwn(wrapperOf, name)) return name as ParameterType;
  const wrapper = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return Object.hasOwn(wrappers, wrapper) ? wrappers[wrapper] : undefined;
}

export const typeUrl = (type: ParameterType): string => prefix + wrapperOf[type];

/** The plain value and, for an Any, the type it claims; `undefined` when they contradict each other. */
export function unwrapped(
  value: ParameterValue,
): { value: Scalar; type?: ParameterType } | undefined {
  if (typeof value !== "object") return { value };
  const type = parameterType(value["@type"]);
  if (!type) return undefined;
  const plain = value.value;
  // Protobuf's JSON writes 64-bit integers as strings.
  if (type === "integer" && typeof plain === "string" && /^-?\d{1,16}$/.test(plain)) {
    return { value: Number(plain), type };
  }
  return { value: plain, type };
}

function typeOf(value: Scalar): ParameterType {
  if (typeof value === "number") return Number.isSafeInteger(value) ? "integer" : "number";
  return typeof value === "string" ? "string" : "boolean";
}

/** As OSAC wraps plain values: whole numbers are Int64Value, and those are strings. */
export function wrapped(
  value: Scalar,
  type: ParameterType = typeOf(value),
): z.output<typeof anySchema> {
  return { "@type": typeUrl(type), value: type === "integer" ? String(value) : value };
}

/** Only scalars are ever stored; what else may stand there goes through as it is. */
export function wrappedJson(value: unknown, type?: ParameterType): unknown {
  const scalar = scalarSchema.safeParse(value);
  return scalar.success ? wrapped(scalar.data, type) : value;
}
