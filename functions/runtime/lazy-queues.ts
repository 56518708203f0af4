import type { RecheckQueue } from "../../core/kernel/saga/rechecks.ts";
import type { WebhookQueue } from "../../core/ports/webhook/queue.ts";
import { once } from "./once.ts";

/** The queues. SQS's client is loaded with the first message, for a shorter start. */

export function webhookQueue(env: { WEBHOOK_QUEUE: string }): WebhookQueue {
  const made = once(async () => (await import("./queues.ts")).webhookQueue(env));
  return { put: async (place, after) => (await made()).put(place, after) };
}

export function recheckQueue(env: { RECHECK_QUEUE: string }): RecheckQueue {
  const made = once(async () => (await import("./queues.ts")).recheckQueue(env));
  return { put: async (recheck, after) => (await made()).put(recheck, after) };
}
