import * as z from "zod";
import { metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { type BareMetalInstanceType, instanceTypeSpecSchema } from "./model.ts";

export const bareMetalInstanceTypeSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: instanceTypeSpecSchema,
  status: z.object({
    host_types: z
      .array(
        z.object({
          name: z.string().describe("Name of the host type."),
          total: z.int().describe("Its hosts on hubs that accept orders."),
          free: z.int().describe("Its hosts available to the next order."),
        }),
      )
      .optional()
      .describe("The matching host types. For administrators."),
  }),
});
type Wire = z.output<typeof bareMetalInstanceTypeSchema>;

const bareMetalInstanceTypeView = (type: BareMetalInstanceType): Wire => ({
  id: type.id,
  metadata: metadataView(type),
  spec: type.spec,
  status: {},
});

/** OSAC's sizes of memory and disks are 64-bit integers, which its JSON has as strings. */
function osacInstanceType({ spec: { hardware, ...spec }, ...rest }: Wire) {
  const { memory, disks, ...others } = hardware;
  return {
    ...rest,
    spec: {
      ...spec,
      hardware: {
        ...others,
        memory: { ...memory, total_gb: String(memory.total_gb) },
        ...(disks && {
          disks: disks.map((disk) => ({ ...disk, capacity_gb: String(disk.capacity_gb) })),
        }),
      },
    },
  };
}

export const wire: WireForm<"bare_metal_instance_type"> = {
  view: bareMetalInstanceTypeView,
  osac: osacOf(osacInstanceType),
};
