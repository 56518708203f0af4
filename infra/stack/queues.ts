import type { Stage } from "./stage.ts";

/** A queue, and the name of its alarm. */
export interface NamedQueue {
  name: string;
  queue: aws.sqs.Queue;
}

/** The queues of calls that could not be handled, one for each function whose caller does not wait. */
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

/** Encrypts a queue with a key of SQS's own. */
export const encryptedBySqs: Encryption = { sqsManagedSseEnabled: true };

export const encrypted = ({ key }: Stage): Encryption =>
  key ? { kmsMasterKeyId: key.arn } : encryptedBySqs;

/** Lets a service put messages into the queue, for this rule or bus alone. */
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
