import type { WebhookQueue } from "../core/webhooks/queue.ts";
import { once } from "./once.ts";

/** The client of SQS is loaded with the first webhook that is due: a start is shorter without it. */
export function webhookQueue(env: { WEBHOOK_QUEUE: string }): WebhookQueue {
  const made = once(async () => (await import("./queue.ts")).webhookQueue(env));
  return { put: async (place, after) => (await made()).put(place, after) };
}
