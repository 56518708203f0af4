import { clusterCatalogItems } from "../../core/catalog/cluster-catalog-item.ts";
import { clusterTemplates } from "../../core/catalog/cluster-template.ts";
import { clusterVersions } from "../../core/catalog/cluster-version.ts";
import { hosts } from "../../core/catalog/host.ts";
import { hostTypes } from "../../core/catalog/host-type.ts";
import { hubs } from "../../core/catalog/hub.ts";
import { projects } from "../../core/catalog/project.ts";
import { projectMemberships } from "../../core/catalog/project-membership.ts";
import { quotas } from "../../core/catalog/quota.ts";
import { sites } from "../../core/catalog/site.ts";
import { tenants } from "../../core/catalog/tenant.ts";
import { webhooks } from "../../core/catalog/webhook.ts";
import type { Kind } from "../../core/model/object.ts";
import { type Collection, collectionOf, collectionRoutes } from "./collection.ts";
import type { Route } from "./route.ts";

/** Kinds that need no saga: one line each. Who may do what with them is in `permissions.ts`. */
export const catalogRoutes: Route[] = [
  ...everywhere(collectionOf(clusterTemplates)),
  ...everywhere(collectionOf(clusterVersions)),
  ...everywhere(collectionOf(hostTypes)),
  ...everywhere(collectionOf(hubs)),
  ...everywhere(collectionOf(hosts)),
  ...everywhere(collectionOf(sites)),
  ...everywhere(collectionOf(tenants)),
  ...everywhere(collectionOf(projects)),
  ...everywhere(collectionOf(projectMemberships)),
  ...everywhere(collectionOf(quotas)),
  ...everywhere(collectionOf(clusterCatalogItems)),
  ...everywhere(collectionOf(webhooks)),
];

function everywhere<K extends Kind>(collection: Collection<K>): Route[] {
  return [...collectionRoutes("public", collection), ...collectionRoutes("private", collection)];
}
