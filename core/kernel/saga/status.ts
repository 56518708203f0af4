import { nextFound } from "./due.ts";
import {
  isOpen,
  type Operation,
  type OperationStatus,
  overdueFrom,
  type StepEntry,
} from "./operation.ts";

/**
 * The status of an operation, derived from its steps. The flag of a stalled step has the reason, and is removed when
 * the step moves on. `found_from` is derived too. Pure; `now` in milliseconds.
 */
export function operationStatus(operation: Operation, now: number): OperationStatus {
  const { stalled, found_from: before, ...rest } = operation.status;
  const entry = stalled && operation.steps[stalled.step];
  const status =
    entry && isOpen(entry) ? { ...rest, stalled: stalledAt(stalled.step, entry) } : rest;
  const found_from = nextFound({ ...operation, status }, before, now);
  return { ...status, ...(found_from !== undefined && { found_from }) };
}

export const stalledAt = (
  step: string,
  entry: StepEntry,
): NonNullable<OperationStatus["stalled"]> => {
  const { message = "it has not ended", waiting_since, start_time = "" } = entry;
  const usual_end = overdueFrom(entry) ?? start_time;
  return { step, since: waiting_since ?? start_time, usual_end, message };
};

/** How far an operation is beyond its estimate; empty for one that is not, or has ended. `now` in milliseconds. */
export function beyondEstimate({ status, estimate }: Operation, now: number) {
  if (estimate === undefined || status.end_time !== undefined) return {};
  const beyond = Math.floor((now - Date.parse(estimate)) / 1000);
  return beyond > 0 ? { estimate_beyond_seconds: beyond } : {};
}

/**
 * The stalled step of an operation with the time by which it is late; empty for an operation without one. `now` in
 * milliseconds.
 */
export function lateness({ status: { stalled } }: Operation, now: number) {
  if (!stalled) return {};
  const beyond = Math.ceil((now - Date.parse(stalled.usual_end)) / 1000);
  return { stalled: { ...stalled, beyond_seconds: Math.max(0, beyond) } };
}

/** The open steps whose usual time was over by then (RFC 3339), in their order. */
export const overdueSteps = ({ steps }: Operation, by: string): [string, StepEntry][] =>
  Object.entries(steps)
    .filter(([, entry]) => isOpen(entry) && (overdueFrom(entry) ?? "~") <= by)
    .sort(([, a], [, b]) => a.position - b.position);
