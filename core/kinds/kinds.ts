import { knownNodeSets } from "../model/cluster.ts";
import { hostTypesOf } from "../model/cluster-template.ts";
import type { Reference } from "../model/metadata.ts";
import type { Kind } from "../model/object.ts";
import type { Use } from "../store/uses.ts";
import { wrapped } from "../view/any.ts";
import { clusterSchema, clusterView, osacCluster } from "../view/cluster.ts";
import {
  clusterCatalogItemSchema,
  clusterCatalogItemView,
  osacClusterCatalogItem,
} from "../view/cluster-catalog-item.ts";
import {
  clusterTemplateSchema,
  clusterTemplateView,
  osacClusterTemplate,
} from "../view/cluster-template.ts";
import {
  clusterVersionSchema,
  clusterVersionView,
  osacClusterVersion,
} from "../view/cluster-version.ts";
import { hostSchema, hostView } from "../view/host.ts";
import { hostTypeSchema, hostTypeView } from "../view/host-type.ts";
import { hubSchema, hubView, osacHub } from "../view/hub.ts";
import { operationSchema, operationView } from "../view/operation.ts";
import {
  osacProject,
  projectMembershipSchema,
  projectMembershipView,
  projectSchema,
  projectView,
} from "../view/project.ts";
import { quotaSchema, quotaView } from "../view/quota.ts";
import { siteSchema, siteView } from "../view/site.ts";
import { osacTenant, tenantSchema, tenantView } from "../view/tenant.ts";
import { webhookSchema, webhookView } from "../view/webhook.ts";
import { identityProvider } from "./identity-provider.ts";
import { commonChanges, type KindOf } from "./kind.ts";
import { role } from "./role.ts";
import { roleBinding } from "./role-binding.ts";
import { secret } from "./secret.ts";
import { user } from "./user.ts";

/** Every kind that there is. A new one is a file beside this one, and its line here. */
export const kinds: { readonly [K in Kind]: KindOf<K> } = {
  cluster: {
    schema: clusterSchema,
    view: clusterView,
    // Which hubs the provider has, and how it keeps networks apart, is not the tenant's business.
    privateMembers: [
      "status.hub",
      "status.infra_id",
      "status.hosts",
      "status.network.vlan",
      "status.placement.rejected",
      "status.waiting.*.instance",
    ],
    osac: (wire) => {
      const cluster = osacCluster(clusterSchema.parse(wire));
      const parameters = Object.entries(cluster.spec.template_parameters);
      const template_parameters = Object.fromEntries(
        parameters.map(([name, value]) => [name, wrapped(value)]),
      );
      return { ...cluster, spec: { ...cluster.spec, template_parameters } };
    },
    inOsacEvents: true,
    events: [...commonChanges, "ready", "failed", "deleting"],
    inProjects: true,
    uses: (cluster) => {
      const { template, version, catalog_item, pull_secret_secret } = cluster.spec;
      // What an upgrade may go back to has to stay.
      const versions = new Set([version.id, cluster.upgrade?.from.version.id ?? version.id]);
      return [
        ...(catalog_item ? [{ kind: "cluster_catalog_item" as const, id: catalog_item.id }] : []),
        { kind: "cluster_template", id: template.id },
        ...[...versions].map((id): Use => ({ kind: "cluster_version", id })),
        ...secrets(pull_secret_secret),
        ...hostTypes(Object.values(knownNodeSets(cluster)).map(({ host_type }) => host_type.id)),
      ];
    },
  },
  cluster_template: {
    schema: clusterTemplateSchema,
    view: clusterTemplateView,
    // Tenants see what they can order; how it is made is the provider's.
    privateMembers: ["operators", "manifests", "validation", "on_failure"],
    osac: (wire) => osacClusterTemplate(clusterTemplateSchema.parse(wire)),
    inOsacEvents: true,
    events: commonChanges,
    shared: true,
    uses: ({ spec }) => [
      ...(spec.version === undefined
        ? []
        : [{ kind: "cluster_version" as const, id: spec.version }]),
      ...hostTypes(hostTypesOf(spec)),
      ...secrets(spec.pull_secret_secret),
    ],
    used: true,
  },
  cluster_version: {
    schema: clusterVersionSchema,
    view: clusterVersionView,
    privateMembers: ["spec.image"],
    osac: (wire) => osacClusterVersion(clusterVersionSchema.parse(wire)),
    inOsacEvents: true,
    events: commonChanges,
    shared: true,
    used: true,
  },
  host_type: {
    schema: hostTypeSchema,
    view: hostTypeView,
    privateMembers: ["status.hubs"],
    inOsacEvents: true,
    events: commonChanges,
    shared: true,
    used: true,
  },
  // Of hubs and sites the provider's administrators are told.
  hub: {
    schema: hubSchema,
    view: hubView,
    osac: (wire) => osacHub(hubSchema.parse(wire)),
    events: commonChanges,
  },
  // No events: hosts change with every word of a hub.
  host: {
    schema: hostSchema,
    view: hostView,
    events: [],
    uses: ({ spec }) => hostTypes([spec.host_type]),
  },
  site: { schema: siteSchema, view: siteView, events: commonChanges },
  operation: {
    schema: operationSchema,
    view: operationView,
    privateMembers: [
      "status.placement.hub",
      "status.placement.rejected",
      "status.waiting.*.instance",
    ],
    events: ["created", "updated", "started", "succeeded", "failed", "cancelled", "stuck"],
    inProjects: true,
  },
  tenant: {
    schema: tenantSchema,
    view: tenantView,
    osac: (wire) => osacTenant(tenantSchema.parse(wire)),
    inOsacEvents: true,
    events: commonChanges,
  },
  project: {
    schema: projectSchema,
    view: projectView,
    osac: (wire) => osacProject(projectSchema.parse(wire)),
    inOsacEvents: true,
    events: commonChanges,
    inProjects: true,
    used: true,
  },
  project_membership: {
    schema: projectMembershipSchema,
    view: projectMembershipView,
    events: commonChanges,
    inProjects: true,
  },
  quota: { schema: quotaSchema, view: quotaView, events: commonChanges, inProjects: true },
  cluster_catalog_item: {
    schema: clusterCatalogItemSchema,
    view: clusterCatalogItemView,
    // Who else has an offer is not a tenant's business.
    privateMembers: ["tenants"],
    osac: (wire) => osacClusterCatalogItem(clusterCatalogItemSchema.parse(wire)),
    events: commonChanges,
    shared: true,
    uses: ({ spec }) => [{ kind: "cluster_template", id: spec.template.id }],
    used: true,
  },
  webhook: { schema: webhookSchema, view: webhookView, events: [...commonChanges, "test"] },
  user,
  role,
  role_binding: roleBinding,
  identity_provider: identityProvider,
  secret,
};

export const kindNames = Object.keys(kinds) as Kind[];

export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name);

const secrets = (reference: Reference | undefined): Use[] =>
  reference ? [{ kind: "secret", id: reference.id }] : [];

/** Host types and versions go by their name, which is their id. */
function hostTypes(ids: Iterable<string>): Use[] {
  return [...new Set(ids)].map((id) => ({ kind: "host_type", id }));
}
