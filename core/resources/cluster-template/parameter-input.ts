import * as z from "zod";
import type { Violation } from "../../error.ts";
import { parameterType, parameterValueSchema, unwrapped } from "./any.ts";
import { constraintsSchema, type Parameter } from "./parameter.ts";

/** Parameters of templates, of any kind, in requests. */

export const parameterInputSchema = z.strictObject({
  name: z.string().min(1).max(63).describe("Name of the parameter."),
  title: z.string().max(128).optional().describe("A short title for people."),
  description: z.string().max(1024).optional().describe("What it is for."),
  type: z
    .string()
    .max(253)
    .describe(
      "`string`, `integer`, `number`, `boolean`, `json`, or the type URL of such a protobuf value.",
    ),
  required: z
    .boolean()
    .optional()
    .describe("Whether every order has to give it; false by default."),
  default: parameterValueSchema.optional().describe("The default value."),
  schema: constraintsSchema
    .optional()
    .describe("JSON Schema of its values; kept in a change without it."),
});

/** The parameters of a request in their stored form. */
export function parametersOf(
  inputs: z.output<typeof parameterInputSchema>[],
  before: Parameter[] | undefined,
  violations: Violation[],
): Parameter[] {
  return inputs.map(({ default: given, type: typeName, schema, ...input }, n): Parameter => {
    const type = parameterType(typeName);
    if (!type) {
      const message =
        "must be string, integer, number, boolean, json, or the type URL of such a protobuf value";
      violations.push({ field: `parameters[${n}].type`, message });
      return { ...input, type: "string" };
    }
    // OSAC's clients do not know `schema` and omit it, so the stored one is kept.
    const kept = before?.find((each) => each.name === input.name && each.type === type);
    const constraints = schema ?? kept?.schema ?? {};
    return {
      ...input,
      type,
      ...(given === undefined ? {} : { default: unwrapped(given)?.value ?? null }),
      ...(Object.keys(constraints).length > 0 ? { schema: constraints } : {}),
    };
  });
}
