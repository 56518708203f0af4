import * as z from "zod";
import { type HostType, hostTypeSpecSchema } from "../model/host-type.ts";
import { hostUsageSchema } from "./hub.ts";
import { metadataSchema, metadataView } from "./wire.ts";

export const hostTypeSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  ...hostTypeSpecSchema.shape,
  status: z
    .object({
      availability: z
        .array(
          z.object({
            region: z.string().describe("Name of the region."),
            total: z.int().describe("Hosts of this type there."),
            free: z.int().describe("Hosts of this type that the next order could have."),
          }),
        )
        .describe("On hubs that take orders, now, by region."),
      hubs: z
        .array(hostUsageSchema.extend({ hub: z.string().describe("Id of the hub.") }))
        .optional()
        .describe("On every hub. For administrators."),
    })
    .optional(),
});

export function hostTypeView(hostType: HostType): z.output<typeof hostTypeSchema> {
  return { id: hostType.id, metadata: metadataView(hostType), ...hostType.spec };
}
