import type { Kind } from "../../core/kernel/object/object.ts";
import { clusterRoutes } from "./clusters.ts";
import { collectionOf, collectionRoutes } from "./collection.ts";
import { hubRoutes } from "./hubs.ts";
import { instanceRoutes } from "./instances.ts";
import type { Route } from "./route.ts";
import { apiOf } from "./schemas.ts";
import { siteRoutes } from "./sites.ts";
import { webhookRoutes } from "./webhooks.ts";

/** Routes of a kind besides those of its collection. */
const more: Partial<Record<Kind, Route[]>> = {
  cluster: clusterRoutes,
  hub: hubRoutes,
  site: siteRoutes,
  baremetal_instance: instanceRoutes,
  webhook: webhookRoutes,
};

/**
 * The routes of a kind that people write: those of the tenants' area and of the administrators'
 * area that the kind's permissions allow.
 */
export function routesOfKind<K extends Kind>(kind: K): Route[] {
  const { rules } = apiOf(kind);
  if (!rules) return [];
  const collection = collectionOf(rules);
  return [
    ...(more[kind] ?? []),
    ...collectionRoutes("public", collection),
    ...collectionRoutes("private", collection),
  ];
}
