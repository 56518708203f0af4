import * as z from "zod";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import {
  type ClusterTemplate,
  failurePolicies,
  manifestSchema,
  operatorSchema,
  storageSchema,
  templateNetworkSchema,
  validationSchema,
} from "./model.ts";
import { osacParameter, parameterShownSchema } from "./parameter-shown.ts";
import { contentShown } from "./shown.ts";

export const clusterTemplateSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  title: z.string().optional().describe("A short title for people."),
  description: z.string().optional().describe("A description for people."),
  parameters: z.array(parameterShownSchema).describe("Parameters that an order may or must set."),
  node_sets: z
    .record(
      z.string(),
      z.object({
        host_type: referenceSchema.describe("The host type of its nodes."),
        size: z.int().describe("The default number of its nodes."),
        allowed_host_types: z
          .array(referenceSchema)
          .optional()
          .describe("Host types that an order may choose for it."),
      }),
    )
    .describe("Groups of nodes that an order starts with, by name."),
  allowed_host_types: z
    .array(referenceSchema)
    .optional()
    .describe("Host types that an order may choose for node sets of its own."),
  spec_defaults: z
    .object({
      version: referenceSchema.optional().describe("The OpenShift release."),
      network: templateNetworkSchema.optional().describe("Prefixes inside the cluster."),
      ssh_public_key: z
        .string()
        .optional()
        .describe("OpenSSH public key for login to the nodes as `core`."),
      pull_secret_secret: referenceSchema
        .optional()
        .describe("The secret object with the pull secret."),
    })
    .describe("Defaults of orders."),
  storage: storageSchema
    .optional()
    .describe("The storage class of its clusters; without one, they have no volume storage."),
  revision: z.int().describe("The revision of the template, from 1."),
  operators: z
    .array(operatorSchema)
    .optional()
    .describe("Operators that are installed on its clusters. For administrators."),
  manifests: z
    .array(manifestSchema)
    .optional()
    .describe("Kubernetes objects that are applied to its clusters. For administrators."),
  validation: validationSchema
    .optional()
    .describe("The workload that proves a new cluster. For administrators."),
  on_failure: z
    .enum(failurePolicies)
    .optional()
    .describe("Whether an order that fails is undone or held. For administrators."),
});
type ClusterTemplateWire = z.output<typeof clusterTemplateSchema>;

const clusterTemplateView = (template: ClusterTemplate): ClusterTemplateWire => ({
  id: template.id,
  metadata: metadataView(template),
  ...contentShown(template),
});

/** The template with only the members of OSAC's templates. */
function osacClusterTemplate(wire: ClusterTemplateWire) {
  const { id, metadata, title, description, parameters, node_sets, spec_defaults } = wire;
  return {
    id,
    metadata,
    title,
    description,
    parameters: parameters.map(osacParameter),
    node_sets: Object.fromEntries(
      Object.entries(node_sets).map(([name, { host_type, size }]) => [name, { host_type, size }]),
    ),
    spec_defaults,
  };
}

export const wire: WireForm<"cluster_template"> = {
  view: clusterTemplateView,
  osac: osacOf(osacClusterTemplate),
  inOsacEvents: true,
};
