import { expect, it } from "vitest";
import { hasEnded, operationIn } from "../../../cli/follow/operation.ts";

/** What a follower reads of an operation. */

it.each<[string, { state: string; resume_requested?: boolean }, boolean]>([
  ["waits to begin", { state: "PENDING" }, false],
  ["runs", { state: "RUNNING" }, false],
  ["turns back", { state: "UNWINDING" }, false],
  ["has succeeded", { state: "SUCCEEDED" }, true],
  ["has failed", { state: "FAILED" }, true],
  ["was cancelled", { state: "CANCELLED" }, true],
  ["is stuck until somebody resumes it", { state: "STUCK" }, true],
  ["is stuck and about to resume", { state: "STUCK", resume_requested: true }, false],
  ["has failed after a resumption", { state: "FAILED", resume_requested: true }, true],
])("an operation that %s: %o has ended: %s", (_, { state, ...rest }, ended) => {
  const status = { state: `OPERATION_STATE_${state}`, ...rest };
  expect(hasEnded(operationIn({ id: "o1", status }))).toBe(ended);
});
