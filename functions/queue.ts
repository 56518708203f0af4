import { SQSClient } from "@aws-sdk/client-sqs";
import { sqsWebhookQueue } from "../core/ports/webhook/sqs.ts";
import type { WebhookQueue } from "../core/webhooks/queue.ts";
import { client } from "./client.ts";

/** The queue of webhooks that are due, as the functions on AWS reach it. */
export const webhookQueue = (env: { WEBHOOK_QUEUE: string }): WebhookQueue =>
  sqsWebhookQueue({
    // The region's own endpoint, as with all others; the SDK would take that of the queue's URL.
    client: new SQSClient({ ...client, useQueueUrlAsEndpoint: false }),
    queue: env.WEBHOOK_QUEUE,
  });
