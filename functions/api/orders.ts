/** What orders are made of, loaded together: who asks for one soon asks for the other. */
export { clusterRoutes } from "./clusters.ts";
export { operationRoutes } from "./operations.ts";
