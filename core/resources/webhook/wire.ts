import * as z from "zod";
import { masked, metadataSchema, metadataView, timeSchema } from "../../kernel/object/wire.ts";
import { isGone, type Webhook, webhookSpecSchema } from "./model.ts";

const webhookStates = [
  "WEBHOOK_STATE_ACTIVE",
  "WEBHOOK_STATE_DISABLED",
  "WEBHOOK_STATE_GONE",
] as const;

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

export function webhookView(webhook: Webhook): z.output<typeof webhookSchema> {
  const { secrets: _, ...spec } = webhook.spec;
  const { gone } = webhook.status;
  return {
    id: webhook.id,
    metadata: metadataView(webhook),
    spec: { ...spec, secret: masked },
    status: {
      state: stateOf(webhook),
      ...(gone && isGone(webhook) ? { gone_time: gone.time } : {}),
    },
  };
}

function stateOf(webhook: Webhook): (typeof webhookStates)[number] {
  if (!webhook.spec.enabled) return "WEBHOOK_STATE_DISABLED";
  return isGone(webhook) ? "WEBHOOK_STATE_GONE" : "WEBHOOK_STATE_ACTIVE";
}
