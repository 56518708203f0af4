import type { RecheckQueue } from "../../kernel/saga/rechecks.ts";
import { type SqsOptions, sendLater } from "../aws/sqs.ts";

/** The queue of rechecks on SQS. The function for due operations receives its messages. */
export const sqsRecheckQueue = (options: SqsOptions): RecheckQueue => ({
  put: (recheck, after) => sendLater(options, recheck, after),
});
