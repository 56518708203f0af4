import * as z from "zod";
import type { Issue } from "../core/kernel/input/field.ts";
import { nameSchema } from "../core/kernel/object/metadata.ts";
import { parametersIn } from "../core/resources/cluster-template/content/placeholders.ts";
import {
  failurePolicies,
  type ManifestSource,
  manifestSchema,
  nodeSetNameSchema,
  nodeSetSizeSchema,
  operatorSchema,
  storageSchema,
  type TemplateContent,
  templateNetworkSchema,
  validationSchema,
} from "../core/resources/cluster-template/model.ts";
import {
  constraintsSchema,
  type Parameter,
  parameterNameSchema,
  scalarTypes,
} from "../core/resources/cluster-template/parameter.ts";

/** The schema of `template.yaml`, which `README.md` describes. */

const title = z.string().max(128).optional();
const description = z.string().max(1024).optional();
const hostType = z.string().min(1).max(63);
const hostTypes = z.array(hostType).max(100).optional();

const propertySchema = constraintsSchema.extend({
  title,
  description,
  type: z.enum(scalarTypes),
  default: z.json().optional(),
});

/** A JSON Schema (2020-12) for an order's template_parameters. */
const parametersSchema = z.strictObject({
  type: z.literal("object").optional(),
  properties: z.record(parameterNameSchema, propertySchema),
  required: z.array(parameterNameSchema).max(100).optional(),
  additionalProperties: z.literal(false).optional(),
});

export const templateFileSchema = z.strictObject({
  name: nameSchema.optional(),
  title,
  description,
  parameters: parametersSchema.optional(),
  /** For node sets that name none. */
  default_host_type: hostType.optional(),
  allowed_host_types: hostTypes,
  node_sets: z.record(
    nodeSetNameSchema,
    z.strictObject({
      host_type: hostType.optional(),
      allowed_host_types: hostTypes,
      size: nodeSetSizeSchema.min(1),
    }),
  ),
  version: hostType.optional(),
  network: templateNetworkSchema.optional(),
  storage: storageSchema.optional(),
  operators: z.array(operatorSchema).max(50).optional(),
  validation: validationSchema
    .extend({ workload: z.array(manifestSchema).min(1).max(20) })
    .optional(),
  on_failure: z.enum(failurePolicies).optional(),
});
export type TemplateFile = z.output<typeof templateFileSchema>;

/** The content of a template in the API's form, from its file and manifests. */
export function contentOf(file: TemplateFile, manifests: ManifestSource[]): TemplateContent {
  const { name: _, default_host_type = "", node_sets, parameters, ...rest } = file;
  const sets = Object.entries(node_sets).map(([name, set]) => [
    name,
    { ...set, host_type: set.host_type ?? default_host_type },
  ]);
  // zod types optional members as possibly undefined, but never creates such members.
  return {
    ...rest,
    parameters: parametersOf(parameters),
    node_sets: Object.fromEntries(sets),
    manifests,
  } as TemplateContent;
}

function parametersOf(parameters: TemplateFile["parameters"]): Parameter[] {
  const required = parameters?.required ?? [];
  return Object.entries(parameters?.properties ?? {}).map(([name, property]): Parameter => {
    const { title, description, type, default: fallback, ...schema } = property;
    return {
      name,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      type,
      ...(required.includes(name) ? { required: true } : {}),
      ...(fallback === undefined ? {} : { default: fallback }),
      schema,
    };
  });
}

/** Errors that only a file can have; paths are those of the file. */
export function fileIssues(file: TemplateFile, manifests: ManifestSource[]): Issue[] {
  const issues: Issue[] = [];
  const { properties = {}, required = [] } = file.parameters ?? {};
  required.forEach((name, n) => {
    if (!Object.hasOwn(properties, name))
      issues.push({ path: ["parameters", "required", n], message: `'${name}' is no property` });
  });
  for (const [name, set] of Object.entries(file.node_sets)) {
    if (set.host_type === undefined && file.default_host_type === undefined) {
      const message = "names no host_type, and there is no default_host_type";
      issues.push({ path: ["node_sets", name], message });
    }
  }
  const used = new Set(
    parametersIn([
      ...manifests,
      file.validation ?? null,
      file.operators ?? null,
    ] as ManifestSource[]),
  );
  for (const name of Object.keys(properties)) {
    if (used.has(name)) continue;
    issues.push({
      path: ["parameters", "properties", name],
      message: "nothing in the template uses it",
    });
  }
  return issues;
}

/** The path in `template.yaml` for a path of the API. */
export function pathInFile(file: TemplateFile | undefined, path: PropertyKey[]): PropertyKey[] {
  const [first, second, third, ...rest] = path;
  if (first === "metadata" && second === "name") return ["name"];
  if (first === "spec_defaults") return path.slice(1);
  if (first === "parameters" && typeof second === "number") {
    const name = Object.keys(file?.parameters?.properties ?? {})[second] ?? "";
    const property = ["parameters", "properties", name];
    if (third === undefined || third === "name") return property;
    return third === "schema" ? [...property, ...rest] : [...property, third, ...rest];
  }
  const set = first === "node_sets" ? file?.node_sets[String(second)] : undefined;
  const isDefault = third === "host_type" && set && set.host_type === undefined;
  return isDefault && file?.default_host_type !== undefined ? ["default_host_type"] : path;
}
