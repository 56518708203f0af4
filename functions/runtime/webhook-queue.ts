import type { WebhookQueue } from "../../core/ports/webhook/queue.ts";
import { once } from "./once.ts";

/** Loads the client of SQS with the first due webhook, which makes the start shorter. */
export function webhookQueue(env: { WEBHOOK_QUEUE: string }): WebhookQueue {
  const made = once(async () => (await import("./queue.ts")).webhookQueue(env));
  return { put: async (place, after) => (await made()).put(place, after) };
}
