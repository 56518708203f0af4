import { type SqsOptions, sendLater } from "../aws/sqs.ts";
import type { WebhookQueue } from "./queue.ts";

/**
 * The queue on SQS. Each tenant's messages are a group, so that many messages of one tenant delay
 * no other tenant.
 */
export const sqsWebhookQueue = (options: SqsOptions): WebhookQueue => ({
  put: (place, after) => sendLater(options, place, after, place.tenant),
});
