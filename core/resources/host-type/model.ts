import * as z from "zod";
import { lineSchema } from "../../kernel/input/text.ts";
import { urlSchema } from "../../kernel/input/url.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { firmwareComponents } from "../../ports/bare-metal/firmware.ts";

const count = z.int().min(1).max(1024);
/** The hardware of every server of a type; an absent member is not checked. */
const hardwareSchema = z.strictObject({
  cpus: z.int().min(1).max(65_536).optional().describe("The exact number of logical processors."),
  memory_gib: z.int().min(1).max(1_048_576).optional().describe("Minimum memory in GiB."),
  disks: z
    .array(
      z.strictObject({
        count: count.describe("The minimum number."),
        min_gib: z.int().min(1).max(1_048_576).describe("The minimum size of each in GiB."),
      }),
    )
    .max(16)
    .optional()
    .describe("The minimum disks, by size."),
  gpus: z
    .array(
      z.strictObject({
        model: z.string().min(1).max(128).describe("A part of the name of each, such as H100."),
        count: count.describe("The exact number."),
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
      "The exact number of DPUs; 0 by default. Hosts with DPUs are for bare-metal servers in overlays.",
    ),
  url_boot: z
    .literal(false)
    .optional()
    .describe(
      "`false` for hosts of a service that boots no server from a URL, such as Ironic; these are for clusters only.",
    ),
});
export type Hardware = z.infer<typeof hardwareSchema>;

/** The desired firmware of every server of a type. */
const firmwareSchema = z.strictObject({
  component: z
    .enum(firmwareComponents)
    .describe("`bmc`: of the controller. `bios`: of the server."),
  version: lineSchema(64).describe(
    "The version as a controller reports it, such as 2.1.6. Any other version is stale, even a newer one.",
  ),
  image: urlSchema(/^https?$/, "must be an http or https URL").describe(
    "URL of the image for controllers, without a login.",
  ),
});
export type FirmwareWanted = z.infer<typeof firmwareSchema>;

/** A type of server for node sets (OSAC's host class; `resource_class` on hubs). */
export const hostTypeSpecSchema = z.strictObject({
  title: z.string().max(128).optional().describe("A short title for people."),
  description: z.string().max(1024).optional().describe("The purpose of such a server."),
  interfaces: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(63).describe("Name of the interface, such as `eth0`."),
        role: z.string().max(63).optional().describe("What it is for, such as `data`."),
        description: z.string().max(256).optional().describe("Further notes."),
      }),
    )
    .max(32)
    .optional()
    .describe("Network interfaces that such servers have."),
  validations: z
    .array(z.string().regex(/^[a-z0-9-]{1,63}$/, "must be the id of a validation"))
    .max(32)
    .optional()
    .describe("Required tests: ids of the assisted service's validations, such as `ntp-synced`."),
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
      "The desired firmware; components not named here stay unchanged. Updates start only on request.",
    ),
  hardware: hardwareSchema
    .optional()
    .describe("The checks before a server becomes a host of this type."),
});
export type HostTypeSpec = z.infer<typeof hostTypeSpecSchema>;
export type HostType = StoredObject<"host_type", HostTypeSpec, Record<string, never>>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    host_type: HostType;
  }
}
