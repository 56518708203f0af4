import type { Deps } from "../../core/deps.ts";
import { routes } from "./routes.ts";
import { type AppOptions, serving } from "./serving.ts";

/** The whole HTTP API in one process. */
export const createApp = (deps: Deps, options: AppOptions) => serving(routes, deps, options);
