import * as z from "zod";
import { typeUrl, wrapped } from "./any.ts";
import { constraintsSchema, parameterTypes } from "./parameter.ts";

/** Parameters of templates, of any kind, in the API's answers. */

export const parameterShownSchema = z.object({
  name: z.string().describe("Name of the parameter."),
  title: z.string().optional().describe("A short title for people."),
  description: z.string().optional().describe("What it is for."),
  type: z.enum(parameterTypes).describe("The type of its values."),
  required: z.boolean().optional().describe("Whether every order has to give it."),
  default: z.json().optional().describe("The default value."),
  schema: constraintsSchema.optional().describe("JSON Schema of its values."),
});

/** The parameter for OSAC, which names types by URL and has no schema. */
export const osacParameter = ({
  schema: _,
  ...parameter
}: z.output<typeof parameterShownSchema>) => ({
  ...parameter,
  type: typeUrl(parameter.type),
  ...(parameter.default !== undefined && {
    default: wrapped(parameter.default, parameter.type),
  }),
});
