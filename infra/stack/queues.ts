import type { Stage } from "./stage.ts";

/** A queue, and what its alarm is called after. */
export interface NamedQueue {
  name: string;
  queue: aws.sqs.Queue;
}

/** What could not be handled, per function that is called without anybody waiting. */
export function deadLetters(
  stage: Stage,
  name: string,
  encryption: Encryption = encrypted(stage),
): aws.sqs.Queue {
  return new aws.sqs.Queue(`${name}DeadLetters`, {
    name: `${stage.prefix}-${name}-dead-letters`,
    messageRetentionSeconds: 14 * 24 * 3600,
    ...encryption,
  });
}

type Encryption = Pick<aws.sqs.QueueArgs, "kmsMasterKeyId" | "sqsManagedSseEnabled">;

/** With a key of SQS's own. */
export const encryptedBySqs: Encryption = { sqsManagedSseEnabled: true };

export const encrypted = ({ key }: Stage): Encryption =>
  key ? { kmsMasterKeyId: key.arn } : encryptedBySqs;

/** Lets a service leave messages, for this rule or bus alone. */
export function allowFrom(
  name: string,
  queue: aws.sqs.Queue,
  senders: { service: string; source: $util.Input<string> }[],
): aws.sqs.QueuePolicy {
  return new aws.sqs.QueuePolicy(`${name}DeadLettersPolicy`, {
    queueUrl: queue.url,
    policy: $jsonStringify({
      Version: "2012-10-17",
      Statement: senders.map(({ service, source }) => ({
        Effect: "Allow",
        Principal: { Service: service },
        Action: "sqs:SendMessage",
        Resource: queue.arn,
        Condition: { ArnEquals: { "aws:SourceArn": source } },
      })),
    }),
  });
}
