import * as z from "zod";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import type { ExternalIp } from "./model.ts";

export const externalIpSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({ pool: referenceSchema.describe("The pool of the address.") }),
  status: z.object({
    state: z
      .literal("EXTERNAL_IP_STATE_ALLOCATED")
      .describe("Always allocated, from the order's answer on."),
    address: z.string().describe("The address."),
    attached: z.boolean().describe("Whether something is attached to it."),
  }),
});

const externalIpView = (ip: ExternalIp): z.output<typeof externalIpSchema> => ({
  id: ip.id,
  metadata: metadataView(ip),
  spec: ip.spec,
  status: ip.status,
});

export const wire: WireForm<"external_ip"> = { view: externalIpView };
