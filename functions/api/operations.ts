import { operationLive } from "../../core/resources/operation/live.ts";
import { type Collection, collectionRoutes } from "./collection.ts";
import type { Route } from "./route.ts";

const operations: Collection<"operation"> = { kind: "operation", live: operationLive };

export const operationRoutes: Route[] = [
  ...collectionRoutes("public", operations),
  ...collectionRoutes("private", operations),
];
