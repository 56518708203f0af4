import type { Deps } from "../../core/deps.ts";
import { families, loadedFamilies } from "./families.ts";
import { type AppOptions, serving } from "./serving.ts";

/** Where a process lives long, nobody's first request waits for its routes. */
const loaded = await loadedFamilies(families);

/** The whole HTTP API in one process. */
export const createApp = (deps: Deps, options: AppOptions) => serving(loaded, deps, options);
