import * as z from "zod";
import type { Issue } from "../../../kernel/input/field.ts";
import type { Json } from "../../../kernel/store/store.ts";
import {
  hasType,
  type Parameter,
  type ParameterType,
  type ValueConstraints,
} from "../parameter.ts";
import { isFound, judgedLength, patternFault } from "./pattern.ts";
import { under } from "./placeholders.ts";

/**
 * Checks parameters' JSON Schemas, and values against them. Written by hand: ajv is 130 KB, @cfworker/json-schema runs
 * patterns that may take hours, and zod is loaded anyway and gives the API's messages.
 */

/** The broken constraints of a value of the right type, in words. */
export function refusalsOf({ type, schema = {} }: Parameter, value: Json): string[] {
  const { enum: choices, pattern, ...rest } = schema;
  if (choices && !choices.includes(value as string)) {
    return [`must be one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`];
  }
  const isJudged = pattern !== undefined || rest.format !== undefined;
  if (isJudged && typeof value === "string" && value.length > judgedLength)
    return [`must have <=${judgedLength} characters`];
  const result = schemaOf(type, rest).safeParse(value);
  const issues = result.error?.issues.map(({ message }) => plain(message)) ?? [];
  if (pattern === undefined || typeof value !== "string") return issues;
  return isFound(pattern, value) ? issues : [...issues, `must match pattern /${pattern}/`];
}

/**
 * The zod schema of the constraints, except choices and pattern. zod's own JSON Schema parser would be six times as
 * large.
 */
function schemaOf(type: ParameterType, constraints: ValueConstraints): z.ZodType {
  if (type === "json") return z.unknown();
  if (type === "boolean") return z.boolean();
  return type === "string" ? textBy(constraints) : numberBy(type, constraints);
}

function textBy({ minLength, maxLength, format }: ValueConstraints): z.ZodString {
  const checks = [
    ...(minLength === undefined ? [] : [z.minLength(minLength)]),
    ...(maxLength === undefined ? [] : [z.maxLength(maxLength)]),
    ...(format === undefined ? [] : [formatChecks[format]()]),
  ];
  return z.string().check(...checks);
}

function numberBy(type: "integer" | "number", constraints: ValueConstraints): z.ZodNumber {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = constraints;
  const checks = [
    ...(minimum === undefined ? [] : [z.gte(minimum)]),
    ...(maximum === undefined ? [] : [z.lte(maximum)]),
    ...(exclusiveMinimum === undefined ? [] : [z.gt(exclusiveMinimum)]),
    ...(exclusiveMaximum === undefined ? [] : [z.lt(exclusiveMaximum)]),
    ...(multipleOf === undefined ? [] : [z.multipleOf(multipleOf)]),
  ];
  return (type === "integer" ? z.number().int() : z.number()).check(...checks);
}

const formatChecks = {
  date: () => z.iso.date(),
  "date-time": () => z.iso.datetime({ offset: true }),
  duration: () => z.iso.duration(),
  email: () => z.email(),
  hostname: () => z.hostname(),
  ipv4: () => z.ipv4(),
  ipv6: () => z.ipv6(),
  time: () => z.regex(fullTime, { error: "Invalid time" }),
  uri: () => z.url(),
  uuid: () => z.uuid(),
} satisfies Record<NonNullable<ValueConstraints["format"]>, () => z.core.$ZodCheck<string>>;

/** A full time of RFC 3339, as JSON Schema defines it: with seconds and a zone. */
const fullTime = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The faults in the definitions of a template's parameters. */
export const parametersIssues = (parameters: Parameter[]): Issue[] =>
  parameters.flatMap((parameter, n) => {
    const isTwice = parameters.findIndex((each) => each.name === parameter.name) !== n;
    const twice = { path: ["name"], message: `'${parameter.name}' appears more than once` };
    return under(n, [...(isTwice ? [twice] : []), ...parameterIssues(parameter)]);
  });

/** The faults of a parameter's definition. */
export function parameterIssues(parameter: Parameter): Issue[] {
  const { type, schema = {}, default: fallback, required } = parameter;
  const issues = schemaIssues(type, schema);
  const refuse = (message: string) => issues.push({ path: ["default"], message });
  if (fallback === undefined) return issues;
  if (required) refuse("a required parameter cannot have a default");
  if (!hasType(fallback, type)) refuse(`must be of type ${type}`);
  // A faulty schema checks no values.
  else if (issues.length === 0) refusalsOf(parameter, fallback).forEach(refuse);
  return issues;
}

const keywordsOf: Record<ParameterType, (keyof ValueConstraints)[]> = {
  string: ["enum", "minLength", "maxLength", "pattern", "format"],
  integer: ["enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  number: ["enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  boolean: [],
  json: [],
};

function schemaIssues(type: ParameterType, schema: ValueConstraints): Issue[] {
  const issues: Issue[] = [];
  const refuse = (keyword: keyof ValueConstraints, message: string, ...more: PropertyKey[]) =>
    issues.push({ path: ["schema", keyword, ...more], message });
  for (const keyword of Object.keys(schema) as (keyof ValueConstraints)[]) {
    if (schema[keyword] !== undefined && !keywordsOf[type].includes(keyword))
      refuse(keyword, `does not apply to a parameter of type ${type}`);
  }
  if (issues.length > 0) return issues;
  schema.enum?.forEach((choice, n) => {
    if (!hasType(choice, type)) refuse("enum", `must be of type ${type}`, n);
    else if (schema.enum?.indexOf(choice) !== n) refuse("enum", "appears more than once", n);
  });
  const fault = schema.pattern === undefined ? undefined : patternFault(schema.pattern);
  if (fault) refuse("pattern", fault);
  const least = Math.max(schema.minimum ?? -Infinity, schema.exclusiveMinimum ?? -Infinity);
  const most = Math.min(schema.maximum ?? Infinity, schema.exclusiveMaximum ?? Infinity);
  if (least > most)
    refuse(schema.maximum === most ? "maximum" : "exclusiveMaximum", "is below the minimum");
  if ((schema.minLength ?? 0) > (schema.maxLength ?? Infinity))
    refuse("maxLength", "is below minLength");
  return issues;
}

/** zod's message in Slipway's style. */
const plain = (message: string): string =>
  message
    .replace(/^Too (small|big): expected (number|string) to (be|have) /, "must $3 ")
    .replace(/^Invalid (string|number): must /, "must ")
    .replace(/^Invalid input: expected /, "must be ")
    .replace(/^Invalid (.+)$/, "must be a valid $1");
