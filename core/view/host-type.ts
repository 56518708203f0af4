import * as z from "zod";
import { type HostType, hostTypeSpecSchema } from "../model/host-type.ts";
import { metadataSchema, metadataView } from "./wire.ts";

export const hostTypeSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  ...hostTypeSpecSchema.shape,
  status: z
    .object({
      /** On hubs that take orders, now. */
      availability: z.array(z.object({ region: z.string(), total: z.int(), free: z.int() })),
    })
    .optional(),
});

export function hostTypeView(hostType: HostType): z.output<typeof hostTypeSchema> {
  return { id: hostType.id, metadata: metadataView(hostType), ...hostType.spec };
}
