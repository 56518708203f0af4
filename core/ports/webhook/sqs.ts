import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { AppError } from "../../error.ts";
import type { WebhookQueue } from "./queue.ts";

export interface SqsOptions {
  client: SQSClient;
  /** URL of the queue. */
  queue: string;
}

/**
 * The queue on SQS. Each tenant's messages are a group, so that many messages of one tenant delay
 * no other tenant.
 */
export function sqsWebhookQueue({ client, queue }: SqsOptions): WebhookQueue {
  return {
    async put(place, after) {
      const command = new SendMessageCommand({
        QueueUrl: queue,
        MessageBody: JSON.stringify(place),
        MessageGroupId: place.tenant,
        // Rounded up: a message that came before its webhook is due would be left to the sweep.
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
