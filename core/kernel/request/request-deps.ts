import type { Deps } from "../deps.ts";

/** What requests of the API have. A port adds the system that they reach. */
export interface RequestDeps extends Deps {}
