import type { RequestDeps } from "../../core/kernel/request/request-deps.ts";
import { families, loadedFamilies } from "./families.ts";
import { type AppOptions, serving } from "./serving.ts";

/** A long-lived process loads all routes at the start, so that no request waits for them. */
const loaded = await loadedFamilies(families);

/** The whole HTTP API in one process. */
export const createApp = (deps: RequestDeps, options: AppOptions) => serving(loaded, deps, options);
