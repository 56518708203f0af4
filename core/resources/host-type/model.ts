import * as z from "zod";
import { lineSchema } from "../../kernel/input/text.ts";
import { urlSchema } from "../../kernel/input/url.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { firmwareComponents } from "../../ports/bare-metal/firmware.ts";

const count = z.int().min(1).max(1024);
/** The hardware of every server of a type; an absent member is not checked. */
const hardwareSchema = z.strictObject({
  cpus: z.int().min(1).max(65_536).optional().describe("Logical processors: exactly so many."),
  memory_gib: z.int().min(1).max(1_048_576).optional().describe("Memory in GiB, at least."),
  disks: z
    .array(
      z.strictObject({
        count: count.describe("How many there are, at least."),
        min_gib: z.int().min(1).max(1_048_576).describe("The size of each in GiB, at least."),
      }),
    )
    .max(16)
    .optional()
    .describe("The disks that it has at least, by size."),
  gpus: z
    .array(
      z.strictObject({
        model: z.string().min(1).max(128).describe("What the name of each contains, such as H100."),
        count: count.describe("How many there are, exactly."),
      }),
    )
    .max(8)
    .optional()
    .describe("The GPUs that it has, by model."),
  dpus: z
    .int()
    .min(1)
    .max(8)
    .optional()
    .describe(
      "How many DPUs it has, exactly; none without. Such hosts are for servers that are ordered whole, in networks that DPUs make.",
    ),
  url_boot: z
    .literal(false)
    .optional()
    .describe(
      "Its power is switched by a service that boots no server from a URL, such as Ironic: such hosts are for clusters.",
    ),
});
export type Hardware = z.infer<typeof hardwareSchema>;

/** The desired firmware of every server of a type. */
const firmwareSchema = z.strictObject({
  component: z
    .enum(firmwareComponents)
    .describe("`bmc`: of the controller. `bios`: what starts the server."),
  version: lineSchema(64).describe(
    "The version as a controller tells it, such as 2.1.6. Any other counts as other, a newer one too.",
  ),
  image: urlSchema(/^https?$/, "must be an http or https URL").describe(
    "Where each controller fetches the image from, without a login in it.",
  ),
});
export type FirmwareWanted = z.infer<typeof firmwareSchema>;

/** A type of server for node sets (OSAC's host class; `resource_class` on hubs). */
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
  validations: z
    .array(z.string().regex(/^[a-z0-9-]{1,63}$/, "must be the id of a validation"))
    .max(32)
    .optional()
    .describe(
      "Tests that each server has to pass, by the ids of the assisted service's validations, such as `ntp-synced`.",
    ),
  firmware: z
    .array(firmwareSchema)
    .min(1)
    .max(firmwareComponents.length)
    .refine(
      (list) => new Set(list.map(({ component }) => component)).size === list.length,
      "must name each component once",
    )
    .optional()
    .describe(
      "The firmware that such servers should have; what is not named here is left as it is. Nothing is updated before that is asked for.",
    ),
  hardware: hardwareSchema
    .optional()
    .describe("What is checked of a server before it becomes a host of this type."),
});
export type HostTypeSpec = z.infer<typeof hostTypeSpecSchema>;
export type HostType = StoredObject<"host_type", HostTypeSpec, Record<string, never>>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    host_type: HostType;
  }
}
