import * as z from "zod";
import type { Json } from "../../core/kernel/store/store.ts";

/** Any JSON value; values of JSON.parse need no deeper check. */
export const json = z.custom<Json>((value) => value !== undefined, "required");
