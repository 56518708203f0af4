import * as z from "zod";
import {
  conditionSchema,
  conditionView,
  masked,
  metadataSchema,
  metadataView,
  timeSchema,
} from "../../kernel/object/wire.ts";
import type { WireForm } from "../../kernel/object/wire-form.ts";
import { type Webhook, webhookConditionTypes, webhookSpecSchema } from "./model.ts";
import { webhookSpecShown, webhookStates, webhookStatusShown } from "./shown.ts";

export const webhookSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    ...webhookSpecSchema.omit({ secrets: true }).shape,
    secret: z
      .string()
      .describe(
        "The secret that signs deliveries; shown in the answer that creates it, otherwise `***`.",
      ),
  }),
  status: z.object({
    state: z.enum(webhookStates).describe("Whether it is sent events."),
    gone_time: timeSchema.optional().describe("When the receiver answered 410."),
    failing: z
      .object({
        since: timeSchema.describe("Since when."),
        tries: z.int().describe("Number of failed attempts."),
        message: z.string().describe("The error of the last attempt."),
        http_status: z.int().optional().describe("HTTP status of the last answer."),
      })
      .optional()
      .describe("Its receiver refuses deliveries; absent while it accepts them."),
    conditions: z
      .array(conditionSchema(webhookConditionTypes))
      .optional()
      .describe("FAILING: its receiver refuses deliveries. Absent before the first refusal."),
  }),
});

export function webhookView(webhook: Webhook): z.output<typeof webhookSchema> {
  const { conditions, ...status } = webhookStatusShown(webhook);
  return {
    id: webhook.id,
    metadata: metadataView(webhook),
    spec: { ...webhookSpecShown(webhook), secret: masked },
    status: { ...status, ...(conditions && { conditions: conditions.map(conditionView) }) },
  };
}

export const wire: WireForm<"webhook"> = {
  view: webhookView,
};
