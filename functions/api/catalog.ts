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
import { apiKinds } from "../../core/kinds/api.ts";
import type { Kind } from "../../core/model/object.ts";
import { collectionOf, collectionRoutes } from "./collection.ts";
import type { Route } from "./route.ts";

/**
 * Kinds that need no saga: those whose rules are too large for their line in `core/kinds`, and all
 * that have them there. Who may do what with them is in `permissions.ts`.
 */
export const catalogRoutes: Route[] = [
  ...everywhere(clusterTemplates),
  ...everywhere(clusterVersions),
  ...everywhere(hostTypes),
  ...everywhere(hubs),
  ...everywhere(hosts),
  ...everywhere(sites),
  ...everywhere(tenants),
  ...everywhere(projects),
  ...everywhere(projectMemberships),
  ...everywhere(quotas),
  ...everywhere(clusterCatalogItems),
  ...everywhere(webhooks),
  ...Object.values(apiKinds).flatMap(({ rules }) => (rules ? everywhere<Kind>(rules) : [])),
];

function everywhere<K extends Kind>(definition: Definition<K>): Route[] {
  const collection = collectionOf(definition);
  return [...collectionRoutes("public", collection), ...collectionRoutes("private", collection)];
}
