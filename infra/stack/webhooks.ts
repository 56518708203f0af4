import { senders } from "../reserves.ts";
import { type Deployed, deployFunction, keepFailures, type Shared } from "./functions.ts";
import { callWith, deadLetters, delayQueue } from "./queues.ts";
import type { Stage } from "./stage.ts";

/** The longest run of the sender, in seconds. */
const seconds = 120;

/** The queue of due webhooks. The table lists them too, so an expired message does no harm. */
export interface WebhookQueue {
  queue: aws.sqs.Queue;
  failures: aws.sqs.Queue;
}

export function webhookQueue(stage: Stage): WebhookQueue {
  const failures = deadLetters(stage, "webhooks");
  const queue = delayQueue(stage, "Webhooks", { kept: 3600, longestRun: seconds, failures });
  return { queue, failures };
}

/**
 * The sender of webhooks, outside the network of hubs and sites. The queue calls it as soon as a webhook is due,
 * and a schedule calls it for webhooks without a message.
 */
export function webhooks(shared: Shared): Deployed {
  const { webhookQueue, webhookFailures } = shared;
  const deployed = deployFunction(shared, "webhooks", {
    description: "sends due events to webhooks",
    seconds,
    failures: webhookFailures,
  });
  callWith(webhookQueue, deployed, "WebhookQueue", { runs: senders.queue, namesFailures: true });
  // For the schedule's calls; the queue retries by itself.
  keepFailures(deployed, "Webhook", 0, 60);
  return deployed;
}
