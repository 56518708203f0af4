import * as z from "zod";
import type { StoredObject } from "./object.ts";

/** A kind of server that node sets ask for (seed 001's host class; `resource_class` on hubs). */
export const hostTypeSpecSchema = z.strictObject({
  title: z.string().max(128).optional(),
  description: z.string().max(1024).optional(),
  interfaces: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(63),
        role: z.string().max(63).optional(),
        description: z.string().max(256).optional(),
      }),
    )
    .max(32)
    .optional(),
});
export type HostTypeSpec = z.infer<typeof hostTypeSpecSchema>;
export type HostType = StoredObject<"host_type", HostTypeSpec, Record<string, never>>;
