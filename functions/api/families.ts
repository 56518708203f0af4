import type { Definition } from "../../core/catalog/definition.ts";
import type { Kind } from "../../core/model/object.ts";
import { collectionOf, collectionRoutes } from "./collection.ts";
import type { Route } from "./route.ts";

/**
 * Routes by the first part of their path after its version, such as `clusters`. The first request for
 * one of a family loads it: a start waits for none.
 */
export type Families = Readonly<Record<string, () => Promise<readonly Route[]>>>;

/** What is answered at once. Who may do what is in `permissions.ts`. */
export const promptFamilies: Families = {
  clusters: async () => (await import("./clusters.ts")).clusterRoutes,
  operations: async () => (await import("./operations.ts")).operationRoutes,
  cluster_templates: async () =>
    everywhere((await import("../../core/catalog/cluster-template.ts")).clusterTemplates),
  cluster_versions: async () =>
    everywhere((await import("../../core/catalog/cluster-version.ts")).clusterVersions),
  host_types: async () => everywhere((await import("../../core/catalog/host-type.ts")).hostTypes),
  hubs: async () => [
    ...everywhere((await import("../../core/catalog/hub.ts")).hubs),
    ...(await import("./reports.ts")).reportRoutes,
  ],
  hosts: async () => everywhere((await import("../../core/catalog/host.ts")).hosts),
  sites: async () => everywhere((await import("../../core/catalog/site.ts")).sites),
  tenants: async () => everywhere((await import("../../core/catalog/tenant.ts")).tenants),
  projects: async () => everywhere((await import("../../core/catalog/project.ts")).projects),
  project_memberships: async () =>
    everywhere((await import("../../core/catalog/project-membership.ts")).projectMemberships),
  quotas: async () => everywhere((await import("../../core/catalog/quota.ts")).quotas),
  cluster_catalog_items: async () =>
    everywhere((await import("../../core/catalog/cluster-catalog-item.ts")).clusterCatalogItems),
  webhooks: async () => [
    ...everywhere((await import("../../core/catalog/webhook.ts")).webhooks),
    ...(await import("./webhooks.ts")).webhookRoutes,
  ],
  users: async () => everywhere((await import("../../core/kinds/user.ts")).userApi.rules),
  roles: async () => everywhere((await import("../../core/kinds/role.ts")).roleApi.rules),
  role_bindings: async () =>
    everywhere((await import("../../core/kinds/role-binding.ts")).roleBindingApi.rules),
  identity_providers: async () =>
    everywhere((await import("../../core/kinds/identity-provider.ts")).identityProviderApi.rules),
  secrets: async () => everywhere((await import("../../core/kinds/secret.ts")).secretApi.rules),
  capacity: async () => (await import("./capacity.ts")).capacityRoutes,
  removal: async () => (await import("./switches.ts")).switchRoutes("removal"),
  intake: async () => (await import("./switches.ts")).switchRoutes("intake"),
  audit_entries: async () => (await import("./audit-entries.ts")).auditRoutes,
};

/** Everything the API serves to those who are somebody. On AWS, watches have a function of their own. */
export const families: Families = {
  ...promptFamilies,
  events: async () => (await import("./events.ts")).eventRoutes,
};

export async function routesOf(families: Families): Promise<Route[]> {
  const loaded = await Promise.all(Object.values(families).map((load) => load()));
  return loaded.flat();
}

/** Families that have been loaded. */
export async function loadedFamilies(families: Families): Promise<Families> {
  const loaded = Object.entries(families).map(async ([name, load]) => {
    const routes = await load();
    return [name, async () => routes] as const;
  });
  return Object.fromEntries(await Promise.all(loaded));
}

/** A kind that needs no saga, for tenants and for administrators. */
function everywhere<K extends Kind>(definition: Definition<K>): Route[] {
  const collection = collectionOf(definition);
  return [...collectionRoutes("public", collection), ...collectionRoutes("private", collection)];
}
