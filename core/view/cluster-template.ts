import * as z from "zod";
import { type ClusterTemplate, parameterTypes } from "../model/cluster-template.ts";
import { typeUrl, wrappedJson } from "./any.ts";
import { metadataSchema, metadataView, named, referenceSchema } from "./wire.ts";

export const clusterTemplateSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  title: z.string().optional(),
  description: z.string().optional(),
  parameters: z.array(
    z.object({
      name: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      type: z.enum(parameterTypes),
      required: z.boolean().optional(),
      default: z.json().optional(),
    }),
  ),
  node_sets: z.record(z.string(), z.object({ host_type: referenceSchema, size: z.int() })),
  allowed_host_types: z.array(referenceSchema).optional(),
  spec_defaults: z.object({ version: referenceSchema.optional() }),
});
type ClusterTemplateWire = z.output<typeof clusterTemplateSchema>;

export function clusterTemplateView(template: ClusterTemplate): ClusterTemplateWire {
  const {
    title,
    description,
    parameters = [],
    node_sets,
    allowed_host_types,
    version,
  } = template.spec;
  return {
    id: template.id,
    metadata: metadataView(template),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    parameters,
    node_sets: Object.fromEntries(
      Object.entries(node_sets).map(([name, { host_type, size }]) => [
        name,
        { host_type: named(host_type), size },
      ]),
    ),
    ...(allowed_host_types === undefined
      ? {}
      : { allowed_host_types: allowed_host_types.map(named) }),
    spec_defaults: version === undefined ? {} : { version: named(version) },
  };
}

export function osacClusterTemplate({
  allowed_host_types: _,
  parameters,
  ...wire
}: ClusterTemplateWire) {
  return {
    ...wire,
    parameters: parameters.map((parameter) => ({
      ...parameter,
      type: typeUrl(parameter.type),
      ...(parameter.default === undefined
        ? {}
        : { default: wrappedJson(parameter.default, parameter.type) }),
    })),
  };
}
