import type { SQSBatchResponse } from "aws-lambda";
import * as z from "zod";
import { logged } from "../core/error.ts";
import { deliverDue } from "../core/resources/webhook/deliver.ts";
import type { PostDeps } from "../core/resources/webhook/post.ts";
import { WebhookSender } from "../core/resources/webhook/send.ts";
import { messagesIn, type QueuedMessage } from "./runtime/queued.ts";

/** How long one run starts deliveries, in milliseconds; the running ones may take as long again. */
const runTime = 60_000;

/** A message of the queue. */
const placeSchema = z.object({ tenant: z.string(), webhook: z.string() });

/**
 * Delivers webhooks. A message of the queue names a due webhook. The schedule's call names none, and finds due
 * webhooks without a message.
 */
export function webhooks(deps: PostDeps): (event: unknown) => Promise<SQSBatchResponse> {
  return async (event) => {
    const messages = messagesIn(event);
    if (messages) return deliver(deps, messages);
    await sweep(deps);
    return { batchItemFailures: [] };
  };
}

/** Delivers all messages in parallel; an interrupted delivery is repeated by the queue. */
async function deliver(deps: PostDeps, messages: QueuedMessage[]): Promise<SQSBatchResponse> {
  const failed = await Promise.all(
    messages.map(async ({ messageId, body }) => {
      try {
        await deliverDue(deps, placeSchema.parse(JSON.parse(body)));
        return [];
      } catch (thrown) {
        deps.log.warn({ messageId, ...logged(thrown) }, "a delivery broke off");
        return [{ itemIdentifier: messageId }];
      }
    }),
  );
  return { batchItemFailures: failed.flat() };
}

/** Delivers due webhooks until none is left. */
async function sweep(deps: PostDeps): Promise<void> {
  const sender = new WebhookSender(deps);
  const end = deps.wall.now() + runTime;
  while ((await sender.run()) > 0) {
    await sender.idle();
    if (deps.wall.now() >= end) return;
  }
}
