import * as z from "zod";
import type { Json } from "../../core/kernel/store/store.ts";

/** Any JSON value; what comes from JSON.parse needs no deeper look. */
export const json = z.custom<Json>((value) => value !== undefined, "required");
