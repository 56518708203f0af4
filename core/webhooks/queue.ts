import type { Deps } from "../deps.ts";
import { toAppError } from "../error.ts";
import { isWebhookCursor } from "../kernel/object/keys.ts";
import type { StreamRecord } from "../kernel/store/store.ts";
import { cursorIn, type WebhookCursor } from "./cursor.ts";

/** Where webhooks wait for a sender, so that a delivery starts when it is due. */
export interface WebhookQueue {
  /** Has a sender see to it after these milliseconds, at least once. Throws Unavailable. */
  put(place: WebhookPlace, after: number): Promise<void>;
}

export type WebhookPlace = Pick<WebhookCursor, "tenant" | "webhook">;

/** What is due later than this is left to the sweep of webhooks: no queue keeps a message back longer. */
export const longestDelay = 15 * 60_000;

/**
 * A webhook that has come to be due, or that its sender has left due, goes into the queue. What
 * cannot be put there is found by the sweep, so it holds up nothing else of the stream.
 */
export async function queueDue(deps: Deps, { key, before, after }: StreamRecord): Promise<void> {
  if (!isWebhookCursor(key) || !after) return;
  const [had, has] = [before && cursorIn(before), cursorIn(after)];
  // Whoever is at it goes on by himself.
  if (has.due === undefined || has.lease !== undefined) return;
  if (had?.due === has.due && had.lease === undefined) return;
  const wait = Math.max(0, has.due - deps.clock.now());
  if (wait > longestDelay) return;
  const { tenant, webhook } = has;
  try {
    await deps.webhookQueue.put({ tenant, webhook }, wait);
  } catch (thrown) {
    const { kind, message, detail } = toAppError(thrown);
    deps.log.warn({ webhook, kind, detail: detail ?? message }, "a webhook is left to the sweep");
  }
}
