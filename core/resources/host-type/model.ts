import * as z from "zod";
import type { StoredObject } from "../../kernel/object/object.ts";

/** A type of server that node sets ask for (OSAC's host class; `resource_class` on hubs). */
export const hostTypeSpecSchema = z.strictObject({
  title: z.string().max(128).optional().describe("A short title for people."),
  description: z.string().max(1024).optional().describe("What such a server is good for."),
  interfaces: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(63).describe("Name of the interface, such as `eth0`."),
        role: z.string().max(63).optional().describe("What it is for, such as `data`."),
        description: z.string().max(256).optional().describe("What else there is to say of it."),
      }),
    )
    .max(32)
    .optional()
    .describe("Network interfaces that such servers have."),
});
export type HostTypeSpec = z.infer<typeof hostTypeSpecSchema>;
export type HostType = StoredObject<"host_type", HostTypeSpec, Record<string, never>>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    host_type: HostType;
  }
}
