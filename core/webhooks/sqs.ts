import { type Access, signedPost, wordsOf } from "../aws/signed-post.ts";
import { sleep } from "../clock.ts";
import { AppError } from "../error.ts";
import type { WebhookPlace, WebhookQueue } from "./queue.ts";

export interface SqsOptions extends Access {
  /** URL of the queue. */
  queue: string;
  /** Jitter of the pauses between tries: 0 ≤ n < 1. */
  random: () => number;
  /** In place of AWS's own. */
  endpoint?: string | undefined;
}

/** For one try, in milliseconds. */
const limit = 5000;
const tries = 3;
const firstPause = 100;

/** The queue on SQS. A tenant's messages are a group of their own, so that many of one tenant hold up no other. */
export function sqsWebhookQueue(options: SqsOptions): WebhookQueue {
  const { queue, wall, random } = options;
  const url = new URL("/", options.endpoint ?? queue);
  const post = signedPost("sqs", options);

  async function send(place: WebhookPlace, after: number): Promise<string | undefined> {
    const body = JSON.stringify({
      QueueUrl: queue,
      MessageBody: JSON.stringify(place),
      MessageGroupId: place.tenant,
      // Rather a moment late: what is not due yet when it comes is left to the sweep.
      DelaySeconds: Math.ceil(after / 1000),
    });
    const headers = {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "AmazonSQS.SendMessage",
    };
    const answer = await post({ url, headers, body, limit }).catch((error) => String(error));
    if (typeof answer === "string") return answer;
    return answer.ok ? undefined : wordsOf(answer);
  }

  return {
    async put(place, after) {
      for (let tried = 1; ; tried++) {
        const refusal = await send(place, after);
        if (refusal === undefined) return;
        if (tried === tries)
          throw new AppError("Unavailable", "the queue takes no message", { detail: refusal });
        await sleep(wall, random() * firstPause * 2 ** tried);
      }
    },
  };
}
