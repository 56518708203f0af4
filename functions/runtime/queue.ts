import { SQSClient } from "@aws-sdk/client-sqs";
import type { WebhookQueue } from "../../core/ports/webhook/queue.ts";
import { sqsWebhookQueue } from "../../core/ports/webhook/sqs.ts";
import { client } from "./client.ts";

/** The queue of due webhooks, for functions on AWS. */
export const webhookQueue = (env: { WEBHOOK_QUEUE: string }): WebhookQueue =>
  sqsWebhookQueue({
    // Uses the region's endpoint, as all other clients do; by default the SDK would use the host of
    // the queue's URL.
    client: new SQSClient({ ...client, useQueueUrlAsEndpoint: false }),
    queue: env.WEBHOOK_QUEUE,
  });
