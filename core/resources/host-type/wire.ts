import * as z from "zod";
import { metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { type HostType, hostTypeSpecSchema } from "./model.ts";

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
            total: z.int().describe("Number of hosts of this type in the region."),
            free: z.int().describe("Number of free hosts of this type."),
          }),
        )
        .describe("Hosts on hubs that accept orders, by region, a moment ago."),
    })
    .optional(),
});

function hostTypeView(hostType: HostType): z.output<typeof hostTypeSchema> {
  return { id: hostType.id, metadata: metadataView(hostType), ...hostType.spec };
}

/** The host type for OSAC, which has no `hardware`, tests and firmware. */
const osacHostType = ({
  hardware: _,
  validations: __,
  firmware: ___,
  ...rest
}: z.output<typeof hostTypeSchema>) => rest;

export const wire: WireForm<"host_type"> = {
  view: hostTypeView,
  osac: osacOf(osacHostType),
  inOsacEvents: true,
};
