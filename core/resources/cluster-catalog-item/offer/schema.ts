import * as z from "zod";
import { violationsOf } from "../../../kernel/input/parse.ts";
import { isObject, type Json } from "../../../kernel/input/shape.ts";
import { parameterValueSchema, unwrapped } from "../../cluster-template/any.ts";
import { parameterIssues, refusalsOf } from "../../cluster-template/content/parameters.ts";
import {
  constraintsSchema,
  hasType,
  type ParameterType,
  scalarTypes,
} from "../../cluster-template/parameter.ts";

/**
 * The JSON Schemas of catalog items: the keywords of 2020-12 that constrain a scalar, as in parameters of templates.
 * Other keywords are refused, because they would not be enforced.
 */
const scalarSchema = constraintsSchema.extend({
  type: z.enum(scalarTypes).optional(),
  $schema: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
});
type ScalarSchema = z.infer<typeof scalarSchema>;

/** The faults in the text of a schema; none if it can be enforced. */
export function schemaFaults(text: string): string[] {
  const parsed = scalarSchema.safeParse(jsonIn(text));
  if (!parsed.success)
    return violationsOf(parsed.error).map(({ field, message }) =>
      field === "" ? "must be a JSON Schema of a scalar, as text" : `${field} ${message}`,
    );
  const { type, constraints } = partsOf(parsed.data);
  if (type === undefined) return [];
  const issues = parameterIssues({ name: "value", type, schema: constraints });
  return issues.map(({ path, message }) => `${path.slice(1).join(".")} ${message}`);
}

/** The constraints of a valid schema that a value breaks. Of a reference, its name is checked. */
export function refusalsBy(text: string, value: Json): string[] {
  const { type, constraints } = partsOf(scalarSchema.parse(jsonIn(text)));
  const scalar = scalarOf(value);
  const own = scalar === undefined ? undefined : typeOf(scalar);
  if (scalar === undefined || own === undefined)
    return ["must be a scalar, or a reference by name"];
  if (type !== undefined && !hasType(scalar, type)) return [`must be of type ${type}`];
  return refusalsOf({ name: "value", type: type ?? own, schema: constraints }, scalar);
}

function partsOf({ type, $schema: _, title: __, description: ___, ...constraints }: ScalarSchema) {
  return { type, constraints };
}

/** The scalar in a value, including a parameter's value in the wrapping of OSAC's clients. */
function scalarOf(value: Json): Json | undefined {
  const parameter = parameterValueSchema.safeParse(value);
  if (parameter.success) return unwrapped(parameter.data)?.value;
  return isObject(value) ? (value.name ?? value.id) : undefined;
}

const typeOf = (value: Json): ParameterType | undefined =>
  (["integer", "number", "string", "boolean"] as const).find((type) => hasType(value, type));

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
