import * as z from "zod";
import type { Condition } from "../../kernel/object/condition.ts";
import type { StoredObject } from "../../kernel/object/object.ts";

/** A server of a tenant that receives its events. Secrets are in the secret store; the record has the reference. */

/** The limit of webhooks for a tenant. */
export const mostWebhooks = 20;

const eventTypeSchema = z
  .string()
  .regex(
    /^slipway\.([a-z_]+\.([a-z_]+\.v1|\*)|\*)$/,
    "must be an event type, such as slipway.cluster.ready.v1, or slipway.cluster.*",
  );

export const webhookSpecSchema = z.strictObject({
  url: z.string().min(1).max(2048).describe("Where events are sent: https, at a public address."),
  event_types: z
    .array(eventTypeSchema)
    .max(50)
    .describe("Event types to send, such as `slipway.cluster.*`; empty means all."),
  enabled: z.boolean().describe("Whether it is sent events; if not, it keeps its position."),
  /** Reference into the secret store: see `webhookSecretsSchema`. */
  secrets: z.string().min(1).max(512),
  former_secret_expires: z.iso
    .datetime()
    .optional()
    .describe("Until when the old secret also signs."),
});
export type WebhookSpec = z.infer<typeof webhookSpecSchema>;

/** FAILING: its receiver does not accept events. */
export const webhookConditionTypes = ["WEBHOOK_CONDITION_TYPE_FAILING"] as const;

export interface WebhookStatus {
  /** The start of the failure, after two failed tries or more, and the last error. */
  failing?: { since: string; tries: number; message: string; http_status?: number };
  /** A condition is absent until the webhook first fails. */
  conditions?: Condition<(typeof webhookConditionTypes)[number]>[];
  /** At this generation of the webhook, the receiver answered 410, so it gets no more events. */
  gone?: { time: string; generation: number };
}

export type Webhook = StoredObject<"webhook", WebhookSpec, WebhookStatus>;

/** Each is `whsec_` and a key in base64, by Standard Webhooks. */
export const webhookSecretsSchema = z.strictObject({
  current: z.string(),
  former: z.string().optional(),
});

/** Whether the receiver is gone; any change by the owner opens the webhook again. */
export const isGone = ({ status, generation }: Webhook): boolean =>
  status.gone?.generation === generation;

export const isWebhookOpen = (webhook: Webhook): boolean =>
  webhook.spec.enabled && !isGone(webhook);

/** Whether the webhook selects events of this type. */
export function wants({ spec }: Webhook, type: string): boolean {
  if (spec.event_types.length === 0) return true;
  return spec.event_types.some((each) =>
    each.endsWith("*") ? type.startsWith(each.slice(0, -1)) : type === each,
  );
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    webhook: Webhook;
  }
}
