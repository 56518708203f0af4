import * as z from "zod";
import type { Json } from "../store/store.ts";
import { nameSchema } from "./metadata.ts";
import type { StoredObject } from "./object.ts";

export const parameterTypes = ["string", "integer", "number", "boolean"] as const;
export type ParameterType = (typeof parameterTypes)[number];

const parameterSchema = z
  .strictObject({
    name: z.string().min(1).max(63),
    title: z.string().max(128).optional(),
    description: z.string().max(1024).optional(),
    type: z.enum(parameterTypes),
    required: z.boolean().optional(),
    default: z.json().optional(),
  })
  .superRefine((parameter, context) => {
    if (parameter.default !== undefined && !hasType(parameter.default, parameter.type)) {
      context.addIssue({
        code: "custom",
        path: ["default"],
        message: `must be of type ${parameter.type}`,
      });
    }
  });

export type Parameter = z.infer<typeof parameterSchema>;

export const maxNodes = 500;

/** The most nodes of one node set; HyperShift's own limit is on the whole cluster. */
export const nodeSetSizeSchema = z.int().min(0).max(maxNodes);

export const clusterTemplateSpecSchema = z.strictObject({
  title: z.string().max(128).optional(),
  description: z.string().max(1024).optional(),
  parameters: z.array(parameterSchema).max(100).optional(),
  /** Name of a node set to what it is made of unless the order says otherwise. */
  node_sets: z.record(
    nameSchema,
    z.strictObject({ host_type: z.string().min(1).max(63), size: nodeSetSizeSchema.min(1) }),
  ),
  /** Host types that orders may choose; empty means those of its node sets. */
  allowed_host_types: z.array(z.string().min(1).max(63)).max(100).optional(),
  /** Name of the version unless the order says otherwise; else the default version. */
  version: z.string().min(1).max(63).optional(),
});
export type ClusterTemplateSpec = z.infer<typeof clusterTemplateSpecSchema>;
export type ClusterTemplate = StoredObject<
  "cluster_template",
  ClusterTemplateSpec,
  Record<string, never>
>;

/** Whether a JSON value is of a parameter's type. */
export function hasType(value: Json | undefined, type: ParameterType): boolean {
  if (type === "integer") return Number.isSafeInteger(value);
  return typeof value === type;
}
