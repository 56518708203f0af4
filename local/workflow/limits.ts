import type { Json } from "../../core/kernel/store/store.ts";
import { StateError } from "./errors.ts";

/** Bytes of JSON that a state's input, output, result or variables may take (Step Functions quotas). */
export const dataLimit = 256 * 1024;

/** The most events of one execution (Step Functions quotas), which also ends endless loops. */
export const eventLimit = 25_000;

export function exceedsDataLimit(value: Json): boolean {
  return Buffer.byteLength(JSON.stringify(value)) > dataLimit;
}

/** Throws States.DataLimitExceeded when `value` is too large; `what` names it in the message. */
export function checkDataLimit(value: Json, what: string): void {
  if (!exceedsDataLimit(value)) return;
  throw new StateError(
    "States.DataLimitExceeded",
    `The ${what} has a size exceeding the maximum number of bytes service limit.`,
  );
}
