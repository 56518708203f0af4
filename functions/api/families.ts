import type { catalog } from "./catalog.ts";
import type { Route } from "./route.ts";

/**
 * Routes by the first part of their path after its version, such as `clusters`. They are loaded in
 * a few parts, each with the first request for it: the start waits for none, and each further file
 * would cost the start something.
 */
export type Families = Readonly<Record<string, () => Promise<readonly Route[]>>>;

const inCatalog = (name: keyof typeof catalog) => async () =>
  (await import("./catalog.ts")).catalog[name]();

/** Families whose requests are answered at once; watches wait. */
export const promptFamilies = {
  clusters: async () => (await import("./orders.ts")).clusterRoutes,
  operations: async () => (await import("./orders.ts")).operationRoutes,
  cluster_templates: inCatalog("cluster_templates"),
  cluster_versions: inCatalog("cluster_versions"),
  host_types: inCatalog("host_types"),
  hubs: inCatalog("hubs"),
  hosts: inCatalog("hosts"),
  sites: inCatalog("sites"),
  tenants: inCatalog("tenants"),
  projects: inCatalog("projects"),
  project_memberships: inCatalog("project_memberships"),
  quotas: inCatalog("quotas"),
  cluster_catalog_items: inCatalog("cluster_catalog_items"),
  webhooks: inCatalog("webhooks"),
  users: inCatalog("users"),
  roles: inCatalog("roles"),
  role_bindings: inCatalog("role_bindings"),
  identity_providers: inCatalog("identity_providers"),
  secrets: inCatalog("secrets"),
  capacity: inCatalog("capacity"),
  removal: inCatalog("removal"),
  intake: inCatalog("intake"),
  audit_entries: inCatalog("audit_entries"),
} satisfies Families & Record<keyof typeof catalog, unknown>;

/** All routes that require authentication. On AWS, watches have a function of their own. */
export const families: Families = {
  ...promptFamilies,
  events: async () => (await import("./events.ts")).eventRoutes,
};

export async function routesOf(families: Families): Promise<Route[]> {
  const loaded = await Promise.all(Object.values(families).map((load) => load()));
  return loaded.flat();
}

/** The families with all their routes loaded. */
export async function loadedFamilies(families: Families): Promise<Families> {
  const loaded = Object.entries(families).map(async ([name, load]) => {
    const routes = await load();
    return [name, async () => routes] as const;
  });
  return Object.fromEntries(await Promise.all(loaded));
}
