import * as z from "zod";
import { metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { type Allocation, reservedSchema } from "./model.ts";

export const allocationSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    host_type: z.string().optional().describe("Name of the host type."),
    instance_type: z.string().optional().describe("Name of the instance type."),
    site: z.string().optional().describe("Id of the site of the hosts."),
    reserved: reservedSchema,
  }),
  status: z.object({
    kept: z.int().optional().describe("Free hosts, for this tenant's orders only."),
    used: z.int().optional().describe("Hosts that the tenant's orders hold."),
    lacking: z.int().optional().describe("Missing hosts: the next free ones are reserved."),
    host_types: z
      .array(z.string())
      .optional()
      .describe("Names of the reserved host types. For administrators."),
  }),
});

const allocationView = (allocation: Allocation): z.output<typeof allocationSchema> => ({
  id: allocation.id,
  metadata: metadataView(allocation),
  spec: allocation.spec,
  status: { host_types: allocation.host_types },
});

export const wire: WireForm<"allocation"> = { view: allocationView };
