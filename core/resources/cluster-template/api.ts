import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { inTheWayEverywhere } from "../../at-site/inside-clusters.ts";
import { violationOf } from "../../kernel/input/field.ts";
import {
  idSchema,
  type ReferenceInput,
  referenceInputSchema,
  systemMetadata,
} from "../../kernel/input/reference.ts";
import { sshPublicKeySchema } from "../../kernel/input/ssh-key.ts";
import { metadataInputSchema } from "../../kernel/object/metadata.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import { CatalogNames } from "../../kernel/request/catalog-names.ts";
import type { Definition, Request } from "../../kernel/request/definition.ts";
import type { SecretDeps } from "../../ports/secrets/secrets.ts";
import { namedPullSecret } from "../secret/pull-secret.ts";
import { templateIssues } from "./content/check.ts";
import { nextRevision, putRevision } from "./content/revisions.ts";
import {
  type ClusterTemplateSpec,
  failurePolicies,
  manifestSchema,
  nodeSetNameSchema,
  nodeSetSizeSchema,
  operatorSchema,
  storageSchema,
  type TemplateContent,
  templateNetworkSchema,
  validationSchema,
} from "./model.ts";
import { parameterInputSchema, parametersOf } from "./parameter-input.ts";
import { clusterTemplateSchema } from "./wire.ts";

const nodeSetSchema = z.strictObject({
  host_type: referenceInputSchema.describe("The host type of its nodes."),
  size: nodeSetSizeSchema.min(1).describe("The default number of its nodes."),
  allowed_host_types: z
    .array(referenceInputSchema)
    .max(100)
    .optional()
    .describe("Host types that an order may choose for it; kept in a change without them."),
});

const schema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  title: z.string().max(128).optional().describe("A short title for people."),
  description: z.string().max(1024).optional().describe("A description for people."),
  parameters: z
    .array(parameterInputSchema)
    .max(100)
    .optional()
    .describe("Parameters that an order may or must set."),
  node_sets: z
    .record(nodeSetNameSchema, nodeSetSchema)
    .describe("Groups of nodes that an order starts with, by name."),
  allowed_host_types: z
    .array(referenceInputSchema)
    .max(100)
    .optional()
    .describe("Host types that an order may choose for node sets of its own."),
  spec_defaults: z
    .strictObject({
      version: referenceInputSchema.optional().describe("The OpenShift release."),
      network: templateNetworkSchema.optional().describe("Prefixes inside the cluster."),
      ssh_public_key: sshPublicKeySchema
        .optional()
        .describe("OpenSSH public key for login to the nodes as `core`."),
      pull_secret_secret: referenceInputSchema
        .optional()
        .describe("The secret object with the pull secret."),
    })
    .optional()
    .describe("Defaults of orders."),
  storage: storageSchema
    .optional()
    .describe("The storage class of its clusters; without one, they have no volume storage."),
  operators: z
    .array(operatorSchema)
    .max(50)
    .optional()
    .describe("Operators that are installed on its clusters."),
  manifests: z
    .array(manifestSchema)
    .max(200)
    .optional()
    .describe("Kubernetes objects that are applied to its clusters."),
  validation: validationSchema.optional().describe("The workload that proves a new cluster."),
  on_failure: z
    .enum(failurePolicies)
    .optional()
    .describe("Whether an order that fails is undone or held."),
  revision: z.unknown().optional().describe("Written by Slipway; ignored in requests."),
});
type Input = z.output<typeof schema>;
type TemplateRequest = Request<"cluster_template", Input, SecretDeps>;

/** A change of the content creates a new revision, stored next to the template; running orders keep their revision. */
export const clusterTemplates: Definition<"cluster_template", Input, SecretDeps> = {
  kind: "cluster_template",
  schema,
  nameFromId: true,
  tenant: "caller",
  async build(request) {
    const { deps, id, before, violations } = request;
    const content = await contentOf(request);
    if (violations.length > 0 || (before && isContent(before.spec, content))) {
      return { spec: { ...content, revision: before?.spec.revision ?? 0 }, status: {} };
    }
    const spec = { ...content, revision: await nextRevision(deps.store, id) };
    return { spec, status: {}, writes: [putRevision(id, spec)] };
  },
};

function isContent({ revision: _, ...content }: ClusterTemplateSpec, other: TemplateContent) {
  return isDeepStrictEqual(content, other);
}

async function contentOf(request: TemplateRequest): Promise<TemplateContent> {
  const { deps, tenant, input, before, violations } = request;
  const names = new CatalogNames(deps, tenant, violations);
  const node_sets: TemplateContent["node_sets"] = {};
  for (const [name, { host_type, size, allowed_host_types }] of Object.entries(input.node_sets)) {
    const field = `node_sets.${name}`;
    const allowed = allowed_host_types
      ? await names.ofAll("host_type", `${field}.allowed_host_types`, allowed_host_types)
      : before?.spec.node_sets[name]?.allowed_host_types;
    node_sets[name] = {
      host_type: await names.of("host_type", `${field}.host_type`, host_type),
      size,
      ...(allowed && allowed.length > 0 ? { allowed_host_types: allowed } : {}),
    };
  }
  const { title, description, parameters, allowed_host_types, spec_defaults, validation } = input;
  const { storage, operators, manifests, on_failure } = input;
  const { version, network, ssh_public_key, pull_secret_secret } = spec_defaults ?? {};
  const pullSecret = pull_secret_secret && (await pullSecretOf(request, pull_secret_secret));
  const content: TemplateContent = {
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(parameters && parameters.length > 0
      ? { parameters: parametersOf(parameters, before?.spec.parameters, violations) }
      : {}),
    node_sets,
    ...(allowed_host_types && allowed_host_types.length > 0
      ? {
          allowed_host_types: await names.ofAll(
            "host_type",
            "allowed_host_types",
            allowed_host_types,
          ),
        }
      : {}),
    ...(version
      ? { version: await names.of("cluster_version", "spec_defaults.version", version) }
      : {}),
    ...(network && Object.keys(network).length > 0 ? { network } : {}),
    ...(ssh_public_key ? { ssh_public_key } : {}),
    ...(pullSecret ? { pull_secret_secret: pullSecret } : {}),
    ...(storage ? { storage } : {}),
    ...(operators && operators.length > 0 ? { operators } : {}),
    ...(manifests && manifests.length > 0 ? { manifests } : {}),
    ...(validation ? { validation } : {}),
    ...(on_failure ? { on_failure } : {}),
  };
  // Loaded with the first template, not at the start of a function, because the table of kinds is large.
  const { misfits } = await import("./content/fit.ts");
  violations.push(...templateIssues(content, misfits).map(violationOf));
  for (const { member, text, site } of await inTheWayEverywhere(deps, content.network ?? {}))
    violations.push({
      field: `spec_defaults.network.${member}`,
      message: `overlaps what each site has for itself, such as ${text} of site '${site}'`,
    });
  return content;
}

function pullSecretOf({ deps, tenant, violations }: TemplateRequest, reference: ReferenceInput) {
  const field = "spec_defaults.pull_secret_secret";
  return namedPullSecret(deps, { tenant }, reference, field, violations);
}

export const api = {
  schema: clusterTemplateSchema,
  rules: clusterTemplates,
} satisfies ApiOf<"cluster_template">;
