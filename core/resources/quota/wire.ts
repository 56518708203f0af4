import * as z from "zod";
import { metadataSchema, metadataView } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { limitsSchema, type Quota } from "./model.ts";

export const quotaSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    limits: z
      .object(limitsSchema.shape)
      .describe("The limits of the tenant or project; absent members have no limit."),
  }),
  status: z.object({
    usage: z
      .object(limitsSchema.required().shape)
      .optional()
      .describe("The current usage, read with the quota."),
  }),
});

function quotaView(quota: Quota): z.output<typeof quotaSchema> {
  return { id: quota.id, metadata: metadataView(quota), spec: quota.spec, status: {} };
}

export const wire: WireForm<"quota"> = {
  view: quotaView,
};
