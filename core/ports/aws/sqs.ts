import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import { AppError } from "../../error.ts";

export interface SqsOptions {
  client: SQSClient;
  /** URL of the queue. */
  queue: string;
}

/**
 * Sends a message that arrives after this many milliseconds. The delay is rounded up, because a message that
 * arrives early has no effect. Messages of one group delay no other group. Throws Unavailable.
 */
export async function sendLater(
  { client, queue }: SqsOptions,
  message: object,
  after: number,
  group?: string,
): Promise<void> {
  const command = new SendMessageCommand({
    QueueUrl: queue,
    MessageBody: JSON.stringify(message),
    ...(group !== undefined && { MessageGroupId: group }),
    DelaySeconds: Math.ceil(after / 1000),
  });
  try {
    await client.send(command);
  } catch (error) {
    throw new AppError("Unavailable", "the queue takes no message", { cause: error });
  }
}
