import * as z from "zod";
import { idSchema, referenceInputSchema, systemMetadata } from "../input/reference.ts";
import { maxNodes, nodeSetNameSchema } from "../model/cluster-template.ts";
import { labelsSchema, metadataInputSchema } from "../model/metadata.ts";
import { parameterValueSchema } from "../view/any.ts";

/** More than a template can have of anything. */
const memberLimit = 100;
const atMost = [
  (map: object) => Object.keys(map).length <= memberLimit,
  `must not have more than ${memberLimit} members`,
] as const;

/** A cluster as it is ordered; the rules that need other objects are in `cluster-spec.ts`. */

const nodeSetInputSchema = z.strictObject({
  host_type: referenceInputSchema.optional(),
  /** A cluster that runs may do without nodes; what is new starts with some. */
  size: z.int().min(0).max(maxNodes).optional(),
});

const clusterSpecInputSchema = z.strictObject({
  template: referenceInputSchema.optional(),
  catalog_item: referenceInputSchema.optional(),
  template_parameters: z
    .record(z.string().min(1).max(63), parameterValueSchema)
    .refine(...atMost)
    .optional(),
  node_sets: z
    .record(nodeSetNameSchema, nodeSetInputSchema)
    .refine(...atMost)
    .optional(),
  version: referenceInputSchema.optional(),
  network: z
    .strictObject({
      pod_cidr: z.string().max(64).optional(),
      service_cidr: z.string().max(64).optional(),
    })
    .optional(),
  ssh_public_key: z.string().max(16_384).optional(),
  /** A docker config JSON, up to what AWS Secrets Manager takes; empty, as OSAC's clients send it, is none. */
  pull_secret: z.string().max(65_536).optional(),
  /** In place of it: a secret of the cluster's tenant and project that has it. */
  pull_secret_secret: referenceInputSchema.optional(),
  placement: z
    .strictObject({ region: z.string().min(1).max(63).optional(), labels: labelsSchema.optional() })
    .optional(),
});
export type ClusterSpecInput = z.output<typeof clusterSpecInputSchema>;

export const clusterInputSchema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  spec: clusterSpecInputSchema,
  /** Written by the server; ignored. */
  status: z.unknown().optional(),
});
export type ClusterInput = z.output<typeof clusterInputSchema>;
