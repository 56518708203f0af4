import * as z from "zod";
import { labelsSchema } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";

/** A type of server that tenants order as a whole. `match.ts` finds its host types by their hardware. */

const word = z.string().min(1).max(128).optional();
const gigabytes = z.int().min(1).max(1_048_576);

export const instanceHardwareSchema = z.strictObject({
  cpu: z
    .strictObject({
      cores: z.int().min(1).max(65_536).describe("Total cores of all processors."),
      architecture: word.describe("Architecture, such as `x86_64`."),
      model: word.describe("Model of the processors, for people."),
      threads_per_core: z
        .int()
        .min(1)
        .max(64)
        .optional()
        .describe("Threads per core; 1 by default."),
    })
    .describe("The processors."),
  memory: z
    .strictObject({
      total_gb: gigabytes.describe("Minimum memory in gigabytes (10^9 bytes)."),
      type: word.describe("Type of the memory, for people."),
    })
    .describe("The memory."),
  disks: z
    .array(
      z.strictObject({
        type: word.describe("Type of the disk, such as `nvme`, for people."),
        capacity_gb: gigabytes.describe("Its minimum size in gigabytes."),
        interface: word.describe("How it is connected, for people."),
      }),
    )
    .max(64)
    .optional()
    .describe("The disks, one entry each."),
  accelerators: z
    .array(
      z.strictObject({
        type: word.describe("Type of the accelerator, such as `gpu`."),
        model: z.string().min(1).max(128).describe("Its model, such as `NVIDIA H100`."),
        vendor: word.describe("Who makes it, for people."),
        memory_gb: gigabytes.optional().describe("Its memory in gigabytes, for people."),
      }),
    )
    .max(64)
    .optional()
    .describe("The accelerators, one entry each."),
  network_ports: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(63).describe("Name of the port, unique in the type."),
        role: word.describe("What it is for, such as `fabric`."),
        type: word.describe("Type of the port, for people."),
        speed: word.describe("Speed of the port, for people."),
      }),
    )
    .max(32)
    .optional()
    .describe("Network ports that such servers have."),
  capabilities: z
    .record(z.string().min(1).max(63), z.string().max(253))
    .optional()
    .describe("Further capabilities by name, for people."),
});
export type InstanceHardware = z.infer<typeof instanceHardwareSchema>;

export const instanceTypeSpecSchema = z.strictObject({
  description: z.string().min(1).max(1024).describe("The purpose of such a server."),
  hardware: instanceHardwareSchema.describe("The hardware of each server."),
  host_label_selector: z
    .strictObject({ match_labels: labelsSchema.describe("Labels that a host type must have.") })
    .optional()
    .describe("Further rules for matching host types."),
});
export type InstanceTypeSpec = z.infer<typeof instanceTypeSpecSchema>;

export type BareMetalInstanceType = StoredObject<
  "bare_metal_instance_type",
  InstanceTypeSpec,
  Record<string, never>
>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    bare_metal_instance_type: BareMetalInstanceType;
  }
}
