import type { Reference } from "./metadata.ts";

/** Host types and versions go by their name, which is their id as well. */
export const named = (name: string): Reference => ({ id: name, name });
