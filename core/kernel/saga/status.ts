import type { Operation, OperationStatus, StepEntry } from "./operation.ts";

/**
 * The status of an operation as its steps have it: the flag of a step that takes too long goes when
 * the step moves on, and says what blocks it as long as it stands. Pure.
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

/** The open steps whose time was up by then (RFC 3339), in their order. */
export const overdueSteps = ({ steps }: Operation, by: string): [string, StepEntry][] =>
  Object.entries(steps)
    .filter(([, entry]) => isOpen(entry) && entry.usual_end !== undefined && entry.usual_end <= by)
    .sort(([, a], [, b]) => a.position - b.position);
