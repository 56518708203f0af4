import * as z from "zod";
import {
  type ClusterTemplate,
  failurePolicies,
  manifestSchema,
  operatorSchema,
  storageSchema,
  templateNetworkSchema,
  validationSchema,
} from "../model/cluster-template.ts";
import { constraintsSchema, parameterTypes } from "../model/parameter.ts";
import { typeUrl, wrapped } from "./any.ts";
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
      schema: constraintsSchema.optional(),
    }),
  ),
  node_sets: z.record(
    z.string(),
    z.object({
      host_type: referenceSchema,
      size: z.int(),
      allowed_host_types: z.array(referenceSchema).optional(),
    }),
  ),
  allowed_host_types: z.array(referenceSchema).optional(),
  spec_defaults: z.object({
    version: referenceSchema.optional(),
    network: templateNetworkSchema.optional(),
    ssh_public_key: z.string().optional(),
    pull_secret_secret: referenceSchema.optional(),
  }),
  storage: storageSchema.optional(),
  /** Counts the contents that the template had. */
  revision: z.int(),
  /** Administrators only. */
  operators: z.array(operatorSchema).optional(),
  manifests: z.array(manifestSchema).optional(),
  validation: validationSchema.optional(),
  on_failure: z.enum(failurePolicies).optional(),
});
type ClusterTemplateWire = z.output<typeof clusterTemplateSchema>;

export function clusterTemplateView(template: ClusterTemplate): ClusterTemplateWire {
  const {
    parameters = [],
    node_sets,
    allowed_host_types,
    version,
    network,
    ssh_public_key,
    pull_secret_secret,
    ...rest
  } = template.spec;
  return {
    id: template.id,
    metadata: metadataView(template),
    ...rest,
    parameters,
    node_sets: Object.fromEntries(
      Object.entries(node_sets).map(([name, { host_type, size, allowed_host_types }]) => [
        name,
        { host_type: named(host_type), size, ...hostTypes(allowed_host_types) },
      ]),
    ),
    ...hostTypes(allowed_host_types),
    spec_defaults: {
      ...(version === undefined ? {} : { version: named(version) }),
      ...(network === undefined ? {} : { network }),
      ...(ssh_public_key === undefined ? {} : { ssh_public_key }),
      ...(pull_secret_secret === undefined ? {} : { pull_secret_secret }),
    },
  };
}

const hostTypes = (names: string[] | undefined) =>
  names === undefined ? {} : { allowed_host_types: names.map(named) };

/** Only what OSAC's own templates have. */
export function osacClusterTemplate(wire: ClusterTemplateWire) {
  const { id, metadata, title, description, parameters, node_sets, spec_defaults } = wire;
  return {
    id,
    metadata,
    title,
    description,
    parameters: parameters.map(({ schema: _, ...parameter }) => ({
      ...parameter,
      type: typeUrl(parameter.type),
      ...(parameter.default === undefined
        ? {}
        : { default: wrapped(parameter.default, parameter.type) }),
    })),
    node_sets: Object.fromEntries(
      Object.entries(node_sets).map(([name, { host_type, size }]) => [name, { host_type, size }]),
    ),
    spec_defaults,
  };
}
