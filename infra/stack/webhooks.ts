import { senders } from "../reserves.ts";
import { type Deployed, deployFunction, keepFailures, type Shared } from "./functions.ts";
import { deadLetters, encrypted } from "./queues.ts";
import type { Stage } from "./stage.ts";

/** The longest run of the sender, in seconds. */
const seconds = 120;

/** Webhooks that are due. The table lists them too, so an expired message does no harm. */
export interface WebhookQueue {
  queue: aws.sqs.Queue;
  failures: aws.sqs.Queue;
}

export function webhookQueue(stage: Stage): WebhookQueue {
  const failures = deadLetters(stage, "webhooks");
  const queue = new aws.sqs.Queue("Webhooks", {
    name: `${stage.prefix}-webhooks`,
    messageRetentionSeconds: 3600,
    // Six times as long as a run may take, as Lambda requires.
    visibilityTimeoutSeconds: 6 * seconds,
    redrivePolicy: $jsonStringify({ deadLetterTargetArn: failures.arn, maxReceiveCount: 3 }),
    ...encrypted(stage),
  });
  return { queue, failures };
}

/**
 * The sender of webhooks, outside the network of hubs and sites: called by the queue as soon as a
 * webhook is due, and by a schedule for webhooks that the queue has missed.
 */
export function webhooks(shared: Shared): Deployed {
  const { webhookQueue, webhookFailures } = shared;
  const deployed = deployFunction(shared, "webhooks", {
    description: "sends due events to webhooks",
    seconds,
    megabytes: 512,
    failures: webhookFailures,
  });
  new aws.lambda.EventSourceMapping("WebhookQueue", {
    functionName: deployed.arn,
    eventSourceArn: webhookQueue.arn,
    batchSize: 10,
    maximumBatchingWindowInSeconds: 0,
    functionResponseTypes: ["ReportBatchItemFailures"],
    scalingConfig: { maximumConcurrency: senders.queue },
  });
  // For the schedule's calls; the queue retries by itself.
  keepFailures(deployed, "Webhook", 0, 60);
  return deployed;
}
