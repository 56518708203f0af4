import { queueFor } from "../../kernel/delay-queue.ts";
import { isWebhookCursor } from "../../kernel/object/log-keys.ts";
import type { ReactionDeps } from "../../kernel/relay/reaction.ts";
import type { StreamRecord } from "../../kernel/store/store.ts";
import { cursorIn } from "./cursor.ts";

/** Queues a webhook that became due, or that its sender left due. */
export async function queueDue(
  deps: Pick<ReactionDeps, "clock" | "log" | "webhookQueue">,
  { key, before, after }: StreamRecord,
): Promise<void> {
  if (!isWebhookCursor(key) || !after) return;
  const [had, has] = [before && cursorIn(before), cursorIn(after)];
  // The sender with the lease continues by itself.
  if (has.due === undefined || has.lease !== undefined) return;
  if (had?.due === has.due && had.lease === undefined) return;
  const { tenant, webhook } = has;
  await queueFor(deps, deps.webhookQueue, has.due, { tenant, webhook });
}
