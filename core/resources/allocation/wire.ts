import * as z from "zod";
import { metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { type Allocation, reservedSchema } from "./model.ts";

export const allocationSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    host_type: z.string().optional().describe("Name of the host type."),
    instance_type: z.string().optional().describe("Name of the type of servers."),
    site: z.string().optional().describe("Id of the site that the hosts are at."),
    reserved: reservedSchema,
  }),
  status: z.object({
    kept: z.int().optional().describe("How many are free, and only for this tenant's orders."),
    used: z.int().optional().describe("How many orders of the tenant hold."),
    lacking: z
      .int()
      .optional()
      .describe("How many are not there yet: the next that come free are kept."),
    host_types: z
      .array(z.string())
      .optional()
      .describe("Names of the host types whose hosts are kept. For administrators."),
  }),
});

const allocationView = (allocation: Allocation): z.output<typeof allocationSchema> => ({
  id: allocation.id,
  metadata: metadataView(allocation),
  spec: allocation.spec,
  status: { host_types: allocation.host_types },
});

export const wire: WireForm<"allocation"> = { view: allocationView };
