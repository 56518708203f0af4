import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { AppError } from "../../error.ts";
import type { WebhookQueue } from "../../webhooks/queue.ts";

export interface SqsOptions {
  client: SQSClient;
  /** URL of the queue. */
  queue: string;
}

/** The queue on SQS. A tenant's messages are a group of their own, so that many of one tenant hold up no other. */
export function sqsWebhookQueue({ client, queue }: SqsOptions): WebhookQueue {
  return {
    async put(place, after) {
      const command = new SendMessageCommand({
        QueueUrl: queue,
        MessageBody: JSON.stringify(place),
        MessageGroupId: place.tenant,
        // Rather a moment late: what is not due yet when it comes is left to the sweep.
        DelaySeconds: Math.ceil(after / 1000),
      });
      try {
        await client.send(command);
      } catch (error) {
        throw new AppError("Unavailable", "the queue takes no message", { cause: error });
      }
    },
  };
}
