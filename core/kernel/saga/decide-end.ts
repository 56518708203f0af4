import { bounds, cut } from "../../bounds.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../deps.ts";
import type { Failure } from "../object/failure.ts";
import { cancelMessage } from "./context.ts";
import {
  answered,
  entryOf,
  isCurrent,
  isDone,
  retrying,
  skipped,
  tokensOf,
  withEntry,
} from "./entry.ts";
import { released, unanswered } from "./leases.ts";
import { isOpen, type Operation, type StepEntry } from "./operation.ts";
import { nextInPhase, passedOn } from "./phase.ts";
import { type Shape, stepsOf } from "./saga.ts";

/** How a step ends, and what must still hold for that. */
export interface Result {
  error?: AppError;
  /** The step had nothing to do. */
  skipped?: boolean;
  /** The attempt whose result this is. Once a newer attempt has begun, nothing changes but its lease. */
  attempt?: string;
  /** The attempt that continues with the next step of the phase; without one a worker is asked to. */
  goesOn?: string;
  /** Members that the entry must still have, as they were when the result was decided. */
  as?: Partial<Pick<StepEntry, "state" | "deadline">>;
}

/** What a result means for its operation, which is `after` then. */
export type End = {
  after: Operation;
} /** The step has ended before, and no lease is to be returned. */ & (
  | { is: "nothing" }
  /** The result counts no more; its attempt returns its lease. */
  | { is: "lease returned" }
  /** Step Functions is to call again; the answer to these tokens says so. */
  | { is: "retried"; tokens: readonly string[]; error: AppError }
  /** The next step of the phase begins, with the same token. */
  | { is: "passed"; next: string }
  /** A do has failed for good. */
  | { is: "turned back"; error: AppError }
  | { is: "step ended" }
  /** The last step is done; the operation has failed where another one was left out. */
  | { is: "saga ended"; failure: Failure | undefined }
);

/** Decides what a step's result makes of its operation; reads and writes nothing. */
export function decideEnd(
  deps: Deps,
  saga: Shape,
  before: Operation,
  name: string,
  result: Result,
): End {
  const rows = stepsOf(saga.nodes);
  const isLast = rows.at(-1)?.name === name;
  const entry = entryOf(before, name);
  if (!isOpen(entry) || !counts(entry, result)) return withoutResult(before, name, result);
  // A cancel was accepted, so the last step must not succeed.
  const cancelled =
    isLast && !saga.irreversible && before.cancel
      ? new AppError("Cancelled", cancelMessage(before.cancel))
      : undefined;
  const error = result.error ?? cancelled;
  const after = withEntry(before, name, endedEntry(deps, entry, { ...result, error }));
  if (error?.retryable) return { is: "retried", after, tokens: tokensOf(entry), error };
  if (error) {
    const isDo = rows.some((row) => row.name === name);
    return isDo && !saga.irreversible
      ? { is: "turned back", after, error }
      : { is: "step ended", after };
  }
  const next = nextInPhase(saga, name);
  if (next) {
    const passed = passedOn(deps, saga, after, name, next, result.goesOn);
    return { is: "passed", after: passed, next: next.name };
  }
  if (!isLast) return { is: "step ended", after };
  const leftOut = rows.find((row) => !isDone(entryOf(after, row.name)));
  return { is: "saga ended", after, failure: leftOut && passedOver(leftOut.name) };
}

/** Whether a result still is the step's: its attempt is current, and the entry is as it has to be. */
const counts = (entry: StepEntry, { attempt, as = {} }: Result): boolean =>
  (attempt === undefined || isCurrent(entry, attempt)) &&
  (as.state === undefined || entry.state === as.state) &&
  (as.deadline === undefined || entry.deadline === as.deadline);

/** Of a step that has ended, or whose newer attempt counts. */
function withoutResult(before: Operation, name: string, { error, attempt }: Result): End {
  const entry = entryOf(before, name);
  if (attempt === undefined || !(attempt in (entry.leases ?? {})))
    return { is: "nothing", after: before };
  const free = withoutLease(entry, attempt, error);
  return { is: "lease returned", after: withEntry(before, name, free) };
}

function endedEntry(
  deps: Deps,
  entry: StepEntry,
  { error, attempt, skipped: isIdle }: Omit<Result, "error"> & { error: AppError | undefined },
): StepEntry {
  const free = attempt === undefined ? entry : withoutLease(entry, attempt, error);
  if (isIdle) return skipped(deps, free);
  return error?.retryable ? retrying(deps, free, error) : answered(deps, free, error);
}

/** An attempt that was not answered may still have effects. */
const withoutLease = (entry: StepEntry, attempt: string, error: AppError | undefined): StepEntry =>
  (error?.retryable ? unanswered : released)(entry, attempt);

/** Of an operation whose last step has ended before another one began: it has not succeeded. */
const passedOver = (step: string): Failure =>
  failureFrom(
    step,
    new AppError(
      "Internal",
      `it ended without the step ${step}, which it began with: retry or delete`,
    ),
  );

/** The failure of an operation by the error of its step. */
export const failureFrom = (step: string, error: AppError): Failure => ({
  step,
  kind: error.kind,
  message: cut(error.message, bounds.reason),
  ...(error.call !== undefined && { call: error.call }),
});
