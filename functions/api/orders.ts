/** Routes of clusters and operations, loaded together: a client of one soon asks for the other. */
export { clusterRoutes } from "./clusters.ts";
export { operationRoutes } from "./operations.ts";
