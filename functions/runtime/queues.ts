import { SQSClient } from "@aws-sdk/client-sqs";
import type { RecheckQueue } from "../../core/kernel/saga/rechecks.ts";
import { sqsRecheckQueue } from "../../core/ports/rechecks/sqs.ts";
import type { WebhookQueue } from "../../core/ports/webhook/queue.ts";
import { sqsWebhookQueue } from "../../core/ports/webhook/sqs.ts";
import { client } from "./client.ts";

/** Adapters of the queues, for functions on AWS. */

// Uses the region's endpoint, as all other clients do; the SDK's default is the host of a queue's URL.
const sqs = new SQSClient({ ...client, useQueueUrlAsEndpoint: false });

export const webhookQueue = (env: { WEBHOOK_QUEUE: string }): WebhookQueue =>
  sqsWebhookQueue({ client: sqs, queue: env.WEBHOOK_QUEUE });

export const recheckQueue = (env: { RECHECK_QUEUE: string }): RecheckQueue =>
  sqsRecheckQueue({ client: sqs, queue: env.RECHECK_QUEUE });
