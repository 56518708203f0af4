import type { Kind } from "../../core/kernel/object/object.ts";
import { collectionOf, collectionRoutes } from "./collection.ts";
import { reportRoutes } from "./reports.ts";
import type { Route } from "./route.ts";
import { apiOf } from "./schemas.ts";
import { webhookRoutes } from "./webhooks.ts";

/** Routes of what is no kind, loaded with those of kinds: each further file would cost something. */
export { auditRoutes } from "./audit-entries.ts";
export { capacityRoutes } from "./capacity.ts";
export { switchRoutes } from "./switches.ts";

/** Routes that a kind without a saga has beside those of its collection. */
const more: Partial<Record<Kind, Route[]>> = { hub: reportRoutes, webhook: webhookRoutes };

/**
 * The routes of a kind without a saga, for tenants and for administrators. Who may do what is in the
 * kind's permissions.
 */
export function routesOfKind<K extends Kind>(kind: K): Route[] {
  const { rules } = apiOf(kind);
  if (!rules) return [];
  const collection = collectionOf(rules);
  return [
    ...collectionRoutes("public", collection),
    ...collectionRoutes("private", collection),
    ...(more[kind] ?? []),
  ];
}
