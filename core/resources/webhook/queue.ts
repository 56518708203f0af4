import { toAppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { isWebhookCursor } from "../../kernel/object/keys.ts";
import type { StreamRecord } from "../../kernel/store/store.ts";
import { cursorIn } from "./cursor.ts";

/** The longest delay of a queue; webhooks that are due later are left to the sweep. */
export const longestDelay = 15 * 60_000;

/**
 * Puts a webhook that has become due, or that its sender has left due, into the queue. If the queue
 * fails, the sweep finds the webhook, so the rest of the stream is not blocked.
 */
export async function queueDue(deps: Deps, { key, before, after }: StreamRecord): Promise<void> {
  if (!isWebhookCursor(key) || !after) return;
  const [had, has] = [before && cursorIn(before), cursorIn(after)];
  // A sender is at work and continues by itself.
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
