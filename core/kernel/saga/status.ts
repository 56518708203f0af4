import type { Operation, OperationStatus, StepEntry } from "./operation.ts";

/**
 * The status of an operation, from its steps: the flag of a stalled step says what blocks the step, and
 * is removed when the step moves on. Pure.
 */
export function operationStatus({ status, steps }: Operation): OperationStatus {
  const { stalled, ...rest } = status;
  const entry = stalled && steps[stalled.step];
  if (!entry || !isOpen(entry)) return rest;
  return { ...rest, stalled: stalledAt(stalled.step, entry) };
}

export const stalledAt = (
  step: string,
  { message = "it has not ended", waiting_since, start_time = "" }: StepEntry,
): NonNullable<OperationStatus["stalled"]> => ({
  step,
  since: waiting_since ?? start_time,
  message,
});

const isOpen = ({ state }: StepEntry): boolean => state === "RUNNING" || state === "WAITING";

/** The open steps whose usual time was over by then (RFC 3339), in their order. */
export const overdueSteps = ({ steps }: Operation, by: string): [string, StepEntry][] =>
  Object.entries(steps)
    .filter(([, entry]) => isOpen(entry) && entry.usual_end !== undefined && entry.usual_end <= by)
    .sort(([, a], [, b]) => a.position - b.position);
