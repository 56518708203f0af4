import type { Stage } from "./stage.ts";

/** A queue, and the name of its alarm. */
export interface NamedQueue {
  name: string;
  queue: aws.sqs.Queue;
}

/** The dead-letter queues, one for each function whose caller does not wait. */
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

/** A queue whose messages may each have a delay, for the runs of one function. */
export function delayQueue(
  stage: Stage,
  logical: string,
  of: {
    /** How long a message is kept, in seconds. */
    kept: number;
    /** The longest run of the function, in seconds. */
    longestRun: number;
    /** The queue of messages that failed in three runs; without it they expire. */
    failures?: aws.sqs.Queue;
  },
): aws.sqs.Queue {
  return new aws.sqs.Queue(logical, {
    name: `${stage.prefix}-${logical.toLowerCase()}`,
    messageRetentionSeconds: of.kept,
    // Six times the longest run, as Lambda advises.
    visibilityTimeoutSeconds: 6 * of.longestRun,
    ...(of.failures && {
      redrivePolicy: $jsonStringify({ deadLetterTargetArn: of.failures.arn, maxReceiveCount: 3 }),
    }),
    ...encrypted(stage),
  });
}

/** Calls a function with the messages of a queue as they arrive. */
export function callWith(
  queue: aws.sqs.Queue,
  { arn }: { arn: $util.Output<string> },
  logical: string,
  of: {
    /** The most concurrent calls. */
    runs: number;
    /** Whether the function names the messages that it failed to handle; otherwise it handles all or none. */
    namesFailures?: true;
  },
): void {
  new aws.lambda.EventSourceMapping(logical, {
    functionName: arn,
    eventSourceArn: queue.arn,
    batchSize: 10,
    maximumBatchingWindowInSeconds: 0,
    ...(of.namesFailures && { functionResponseTypes: ["ReportBatchItemFailures"] }),
    scalingConfig: { maximumConcurrency: of.runs },
  });
}

type Encryption = Pick<aws.sqs.QueueArgs, "kmsMasterKeyId" | "sqsManagedSseEnabled">;

/** Encrypts a queue with a key of SQS's own. */
export const encryptedBySqs: Encryption = { sqsManagedSseEnabled: true };

const encrypted = ({ key }: Stage): Encryption =>
  key ? { kmsMasterKeyId: key.arn } : encryptedBySqs;

/** Allows a service to put messages into the queue, for this rule or bus only. */
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
