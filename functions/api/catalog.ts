import type { Kind } from "../../core/kernel/object/object.ts";
import type { Definition } from "../../core/kernel/request/definition.ts";
import { clusterCatalogItems } from "../../core/resources/cluster-catalog-item/api.ts";
import { clusterTemplates } from "../../core/resources/cluster-template/api.ts";
import { clusterVersions } from "../../core/resources/cluster-version/api.ts";
import { hosts } from "../../core/resources/host/api.ts";
import { hostTypes } from "../../core/resources/host-type/api.ts";
import { hubs } from "../../core/resources/hub/api.ts";
import { api as identityProviderApi } from "../../core/resources/identity-provider/kind.ts";
import { projects } from "../../core/resources/project/api.ts";
import { projectMemberships } from "../../core/resources/project-membership/api.ts";
import { quotas } from "../../core/resources/quota/api.ts";
import { api as roleApi } from "../../core/resources/role/kind.ts";
import { api as roleBindingApi } from "../../core/resources/role-binding/kind.ts";
import { api as secretApi } from "../../core/resources/secret/kind.ts";
import { sites } from "../../core/resources/site/api.ts";
import { tenants } from "../../core/resources/tenant/api.ts";
import { api as userApi } from "../../core/resources/user/kind.ts";
import { webhooks } from "../../core/resources/webhook/api.ts";
import { auditRoutes } from "./audit-entries.ts";
import { capacityRoutes } from "./capacity.ts";
import { collectionOf, collectionRoutes } from "./collection.ts";
import { reportRoutes } from "./reports.ts";
import type { Route } from "./route.ts";
import { switchRoutes } from "./switches.ts";
import { webhookRoutes } from "./webhooks.ts";

/**
 * Kinds without a saga: the catalog, the inventory, people and the deployment's own switches, by
 * family.
 */
export const catalog = {
  cluster_templates: () => everywhere(clusterTemplates),
  cluster_versions: () => everywhere(clusterVersions),
  host_types: () => everywhere(hostTypes),
  hubs: () => [...everywhere(hubs), ...reportRoutes],
  hosts: () => everywhere(hosts),
  sites: () => everywhere(sites),
  tenants: () => everywhere(tenants),
  projects: () => everywhere(projects),
  project_memberships: () => everywhere(projectMemberships),
  quotas: () => everywhere(quotas),
  cluster_catalog_items: () => everywhere(clusterCatalogItems),
  webhooks: () => [...everywhere(webhooks), ...webhookRoutes],
  users: () => everywhere(userApi.rules),
  roles: () => everywhere(roleApi.rules),
  role_bindings: () => everywhere(roleBindingApi.rules),
  identity_providers: () => everywhere(identityProviderApi.rules),
  secrets: () => everywhere(secretApi.rules),
  capacity: () => capacityRoutes,
  removal: () => switchRoutes("removal"),
  intake: () => switchRoutes("intake"),
  audit_entries: () => auditRoutes,
} satisfies Record<string, () => Route[]>;

/**
 * The routes of a kind for tenants and for administrators. Who may do what is in `permissions.ts`.
 */
function everywhere<K extends Kind>(definition: Definition<K>): Route[] {
  const collection = collectionOf(definition);
  return [...collectionRoutes("public", collection), ...collectionRoutes("private", collection)];
}
