import { commonChanges, type KindOf, osacOf } from "../kernel/object/kind.ts";
import type { Reference } from "../kernel/object/metadata.ts";
import type { Kind } from "../kernel/object/object.ts";
import type { Use } from "../kernel/object/uses.ts";
import { knownNodeSets } from "./cluster/model.ts";
import { type ClusterWire, clusterView, osacCluster } from "./cluster/wire.ts";
import { clusterCatalogItemView, osacClusterCatalogItem } from "./cluster-catalog-item/wire.ts";
import { wrapped } from "./cluster-template/any.ts";
import { hostTypesOf } from "./cluster-template/model.ts";
import { clusterTemplateView, osacClusterTemplate } from "./cluster-template/wire.ts";
import { clusterVersionView, osacClusterVersion } from "./cluster-version/wire.ts";
import { hostView } from "./host/wire.ts";
import { hostTypeView } from "./host-type/wire.ts";
import { hubView, osacHub } from "./hub/wire.ts";
import { identityProvider } from "./identity-provider/kind.ts";
import { operationView } from "./operation/wire.ts";
import { osacProject, projectMembershipView, projectView } from "./project/wire.ts";
import { quotaView } from "./quota/wire.ts";
import { role } from "./role/kind.ts";
import { roleBinding } from "./role-binding/kind.ts";
import { secret } from "./secret/kind.ts";
import { siteView } from "./site/wire.ts";
import { osacTenant, tenantView } from "./tenant/wire.ts";
import { user } from "./user/kind.ts";
import { webhookView } from "./webhook/wire.ts";

/** What everybody must know of every kind. A new one has its line here, and one in `api.ts`. */
export const kinds: { readonly [K in Kind]: KindOf<K> } = {
  cluster: {
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
    osac: osacOf((wire: ClusterWire) => {
      const cluster = osacCluster(wire);
      const parameters = Object.entries(cluster.spec.template_parameters);
      const template_parameters = Object.fromEntries(
        parameters.map(([name, value]) => [name, wrapped(value)]),
      );
      return { ...cluster, spec: { ...cluster.spec, template_parameters } };
    }),
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
    view: clusterTemplateView,
    // Tenants see what they can order; how it is made is the provider's.
    privateMembers: ["operators", "manifests", "validation", "on_failure"],
    osac: osacOf(osacClusterTemplate),
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
    view: clusterVersionView,
    privateMembers: ["spec.image"],
    osac: osacOf(osacClusterVersion),
    inOsacEvents: true,
    events: commonChanges,
    shared: true,
    used: true,
  },
  host_type: {
    view: hostTypeView,
    privateMembers: ["status.hubs"],
    inOsacEvents: true,
    events: commonChanges,
    shared: true,
    used: true,
  },
  // Of hubs and sites the provider's administrators are told.
  hub: {
    view: hubView,
    osac: osacOf(osacHub),
    events: commonChanges,
  },
  // No events: hosts change with every word of a hub.
  host: {
    view: hostView,
    events: [],
    uses: ({ spec }) => hostTypes([spec.host_type]),
  },
  site: { view: siteView, events: commonChanges },
  operation: {
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
    view: tenantView,
    osac: osacOf(osacTenant),
    inOsacEvents: true,
    events: commonChanges,
  },
  project: {
    view: projectView,
    osac: osacOf(osacProject),
    inOsacEvents: true,
    events: commonChanges,
    inProjects: true,
    used: true,
  },
  project_membership: {
    view: projectMembershipView,
    events: commonChanges,
    inProjects: true,
  },
  quota: { view: quotaView, events: commonChanges, inProjects: true },
  cluster_catalog_item: {
    view: clusterCatalogItemView,
    // Who else has an offer is not a tenant's business.
    privateMembers: ["tenants"],
    osac: osacOf(osacClusterCatalogItem),
    events: commonChanges,
    shared: true,
    uses: ({ spec }) => [{ kind: "cluster_template", id: spec.template.id }],
    used: true,
    claim: ({ spec }) => ({ template: spec.template.id }),
  },
  webhook: { view: webhookView, events: [...commonChanges, "test"] },
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
