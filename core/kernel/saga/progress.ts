import { isDeepStrictEqual } from "node:util";
import type { Operation } from "./operation.ts";

/** A place that was found is told with the step that begins then; one in line is told at once. */
const operationProgress: ReadonlySet<string> = new Set([
  "status.placement",
  "status.steps",
  "status.waiting",
  "status.waiting_for",
  "status.percent",
  "status.estimate",
  "status.deadline",
]);

/** A step has begun, and with it those before it have ended; or one has failed. */
function isNextStep(before: Operation, after: Operation): boolean {
  const passed = ({ steps }: Operation) =>
    Object.values(steps).map(({ state }) => [state !== "PENDING", state === "FAILED"]);
  return !isDeepStrictEqual(passed(before), passed(after));
}

/** Whether a change says only how far an operation has come, and may wait for the next event. */
export const isOperationProgress = (
  before: Operation,
  after: Operation,
  paths: readonly string[],
): boolean => !isNextStep(before, after) && paths.every((path) => operationProgress.has(path));
