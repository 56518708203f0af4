import { auditRoutes } from "./audit-entries.ts";
import { capacityRoutes } from "./capacity.ts";
import { catalogRoutes } from "./catalog.ts";
import { clusterRoutes } from "./clusters.ts";
import { operationRoutes } from "./operations.ts";
import { reportRoutes } from "./reports.ts";
import type { Route } from "./route.ts";
import { allSwitchRoutes } from "./switches.ts";
import { webhookRoutes } from "./webhooks.ts";

/** What is answered at once. */
export const promptRoutes: Route[] = [
  ...clusterRoutes,
  ...operationRoutes,
  ...catalogRoutes,
  ...capacityRoutes,
  ...allSwitchRoutes,
  ...reportRoutes,
  ...auditRoutes,
  ...webhookRoutes,
];
