import { clusterCatalogItems } from "../../core/catalog/cluster-catalog-item.ts";
import { clusterTemplates } from "../../core/catalog/cluster-template.ts";
import { clusterVersions } from "../../core/catalog/cluster-version.ts";
import type { Definition } from "../../core/catalog/definition.ts";
import { hosts } from "../../core/catalog/host.ts";
import { hostTypes } from "../../core/catalog/host-type.ts";
import { hubs } from "../../core/catalog/hub.ts";
import { projects } from "../../core/catalog/project.ts";
import { projectMemberships } from "../../core/catalog/project-membership.ts";
import { quotas } from "../../core/catalog/quota.ts";
import { sites } from "../../core/catalog/site.ts";
import { tenants } from "../../core/catalog/tenant.ts";
import { webhooks } from "../../core/catalog/webhook.ts";
import { identityProviderApi } from "../../core/kinds/identity-provider.ts";
import { roleApi } from "../../core/kinds/role.ts";
import { roleBindingApi } from "../../core/kinds/role-binding.ts";
import { secretApi } from "../../core/kinds/secret.ts";
import { userApi } from "../../core/kinds/user.ts";
import type { Kind } from "../../core/model/object.ts";
import { auditRoutes } from "./audit-entries.ts";
import { capacityRoutes } from "./capacity.ts";
import { collectionOf, collectionRoutes } from "./collection.ts";
import { reportRoutes } from "./reports.ts";
import type { Route } from "./route.ts";
import { switchRoutes } from "./switches.ts";
import { webhookRoutes } from "./webhooks.ts";

/** What needs no saga: catalog, inventory, people and the deployment's own, by family. */
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

/** A kind for tenants and for administrators. Who may do what is in `permissions.ts`. */
function everywhere<K extends Kind>(definition: Definition<K>): Route[] {
  const collection = collectionOf(definition);
  return [...collectionRoutes("public", collection), ...collectionRoutes("private", collection)];
}
