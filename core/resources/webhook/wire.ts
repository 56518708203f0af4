import * as z from "zod";
import { masked, metadataSchema, metadataView, timeSchema } from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { type Webhook, webhookSpecSchema } from "./model.ts";
import { webhookSpecShown, webhookStates, webhookStatusShown } from "./shown.ts";

export const webhookSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    ...webhookSpecSchema.omit({ secrets: true }).shape,
    secret: z
      .string()
      .describe(
        "What deliveries are signed with; only in the answer that made it, `***` everywhere else.",
      ),
  }),
  status: z.object({
    state: z.enum(webhookStates).describe("Whether it is sent events."),
    gone_time: timeSchema.optional().describe("When the receiver answered 410."),
  }),
});

export const webhookView = (webhook: Webhook): z.output<typeof webhookSchema> => ({
  id: webhook.id,
  metadata: metadataView(webhook),
  spec: { ...webhookSpecShown(webhook), secret: masked },
  status: webhookStatusShown(webhook),
});

export const wire: WireForm<"webhook"> = {
  view: webhookView,
};
