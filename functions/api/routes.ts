import { eventRoutes } from "./events.ts";
import { promptRoutes } from "./prompt-routes.ts";
import type { Route } from "./route.ts";

/** Everything the API serves to those who are somebody. On AWS, watches have a function of their own. */
export const routes: Route[] = [...promptRoutes, ...eventRoutes];
