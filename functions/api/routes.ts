import { auditRoutes } from "./audit-entries.ts";
import { capacityRoutes } from "./capacity.ts";
import { catalogRoutes } from "./catalog.ts";
import { clusterRoutes } from "./clusters.ts";
import { eventRoutes } from "./events.ts";
import { operationRoutes } from "./operations.ts";
import { reportRoutes } from "./reports.ts";
import type { Route } from "./route.ts";
import { allSwitchRoutes } from "./switches.ts";
import { webhookRoutes } from "./webhooks.ts";

/** Everything the API serves to those who are somebody. */
export const routes: Route[] = [
  ...clusterRoutes,
  ...operationRoutes,
  ...catalogRoutes,
  ...capacityRoutes,
  ...eventRoutes,
  ...allSwitchRoutes,
  ...reportRoutes,
  ...auditRoutes,
  ...webhookRoutes,
];
