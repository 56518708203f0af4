import { type SqsOptions, sendLater } from "../aws/sqs.ts";
import type { WebhookQueue } from "./queue.ts";

/** The queue on SQS. Each tenant is a message group, so that one tenant's backlog delays no other tenant. */
export const sqsWebhookQueue = (options: SqsOptions): WebhookQueue => ({
  put: (place, after) => sendLater(options, place, after, place.tenant),
});
