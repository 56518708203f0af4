import * as z from "zod";
import { idSchema, referenceInputSchema, systemMetadata } from "../../kernel/input/reference.ts";
import { sshPublicKeySchema } from "../../kernel/input/ssh-key.ts";
import { neverAnswered } from "../../kernel/input/text.ts";
import { labelsSchema, metadataInputSchema } from "../../kernel/object/metadata.ts";
import { parameterValueSchema } from "./any.ts";
import { maxNodes, nodeSetNameSchema, templateNetworkSchema } from "./model.ts";

/** A limit beyond the size of any part of a template. */
const memberLimit = 100;
const atMost = [
  (map: object) => Object.keys(map).length <= memberLimit,
  `must not have more than ${memberLimit} members`,
] as const;

/**
 * The input of an order for a cluster; the rules that need other objects are in
 * `core/resources/cluster/spec.ts`.
 */

/** The limit of security groups for a host, because a packet is checked against the rules of all of them. */
const groupLimit = 5;

/** The place of hosts in the tenant's own networks. */
export const attachmentInputSchema = z.strictObject({
  subnet: referenceInputSchema.describe("A subnet of the same tenant and project."),
  security_groups: z
    .array(referenceInputSchema)
    .max(groupLimit)
    .default([])
    .describe(
      `Security groups of its hosts, at most ${groupLimit}; the network's default group by default.`,
    ),
});

/** The constraints on the place of an order. */
export const placementInputSchema = z.strictObject({
  region: z
    .string()
    .min(1)
    .max(63)
    .optional()
    .describe("Region that its hub must be in, such as `eu-west`."),
  labels: labelsSchema.optional().describe("Labels that its hub must have."),
});

/** The parameters in an order. */
export const parametersInputSchema = z
  .record(z.string().min(1).max(63), parameterValueSchema)
  .refine(...atMost);

const nodeSetInputSchema = z.strictObject({
  host_type: referenceInputSchema
    .optional()
    .describe("The host type of its nodes; the template's by default."),
  size: z
    .int()
    .min(0)
    .max(maxNodes)
    .optional()
    .describe("Number of nodes; 0 only in an existing node set of a READY cluster."),
});

const clusterSpecInputSchema = z.strictObject({
  template: referenceInputSchema.optional().describe("What to order."),
  catalog_item: referenceInputSchema
    .optional()
    .describe("The offer to order from, instead of a template."),
  template_parameters: parametersInputSchema
    .optional()
    .describe("Values of the template's parameters, by name. Answers show them: no secrets."),
  node_sets: z
    .record(nodeSetNameSchema, nodeSetInputSchema)
    .refine(...atMost)
    .optional()
    .describe("Groups of nodes of one host type, by name; the template's by default."),
  version: referenceInputSchema
    .optional()
    .describe("The OpenShift release; a change is an upgrade."),
  network: templateNetworkSchema.optional().describe("Prefixes inside the cluster."),
  network_attachment: attachmentInputSchema
    .optional()
    .describe("The tenant's network for its hosts; by default, a network of the cluster's own."),
  auto_external_ip_attachment: z
    .boolean()
    .optional()
    .describe(
      "Whether its API and ingress get external IPs of the tenant, created and deleted with it; by default, the cluster has its own addresses.",
    ),
  ssh_public_key: sshPublicKeySchema
    .optional()
    .describe("OpenSSH public key for login to the nodes as `core`."),
  pull_secret: z
    .string()
    .max(65_536)
    .optional()
    .describe(
      "A docker config JSON with credentials for image registries; empty for none. Never returned.",
    )
    .meta(neverAnswered),
  pull_secret_secret: referenceInputSchema
    .optional()
    .describe("Instead of `pull_secret`: a secret object of the cluster's tenant and project."),
  placement: placementInputSchema
    .optional()
    .describe("Placement constraints: region, labels of hubs."),
});
export type ClusterSpecInput = z.output<typeof clusterSpecInputSchema>;

export const clusterInputSchema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  spec: clusterSpecInputSchema,
  /** Slipway writes this member; the client's value is ignored. */
  status: z.unknown().optional(),
});
export type ClusterInput = z.output<typeof clusterInputSchema>;
