import { isDeepStrictEqual } from "node:util";
import { entryOf, isDone } from "./entry.ts";
import type { Operation } from "./operation.ts";

/**
 * Paths whose changes are progress. The event of the step that follows placement also publishes the chosen hub. No step
 * follows a change of position in a queue, so it is published at once.
 */
const operationProgress: ReadonlySet<string> = new Set([
  "status.placement",
  "status.steps",
  "status.waiting",
  "status.waiting_for",
  "status.percent",
  "status.estimate",
  "status.deadline",
]);

/** Whether a step has begun or failed. A step begins only when those before it have ended. */
function isNextStep(before: Operation, after: Operation): boolean {
  const passed = ({ steps }: Operation) =>
    Object.values(steps).map(({ state }) => [state !== "PENDING", state === "FAILED"]);
  return !isDeepStrictEqual(passed(before), passed(after));
}

/** Whether a step has ended well, so that the next one begins at once. The end of the last step is no progress. */
export const isStepEnd = (before: Operation, after: Operation): boolean =>
  Object.entries(after.steps).some(
    ([name, entry]) => isDone(entry) && !isDone(entryOf(before, name)),
  );

/** Whether a change shows only how far an operation has come, and may wait for the next event. */
export const isOperationProgress = (
  before: Operation,
  after: Operation,
  paths: readonly string[],
): boolean => !isNextStep(before, after) && paths.every((path) => operationProgress.has(path));
