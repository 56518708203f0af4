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
  type NewAttempt,
  retrying,
  skipped,
  tokensOf,
  withEntry,
} from "./entry.ts";
import { released, unanswered } from "./leases.ts";
import { isOpen, type Operation, type StepEntry } from "./operation.ts";
import { nextInPhase, passedOn } from "./phase.ts";
import { type Shape, stepsOf } from "./saga.ts";

/** The result of a step, and the conditions under which it counts. */
export interface Result {
  error?: AppError;
  /** The step had nothing to do. */
  skipped?: boolean;
  /**
   * The attempt with this result. Once a newer attempt has begun, the result changes nothing but this attempt's lease.
   */
  attempt?: string;
  /** The attempt at the next step of the phase; without one, a worker is called. */
  goesOn?: NewAttempt;
  /** Members that the entry had when the result was decided, and must still have. */
  as?: Partial<Pick<StepEntry, "state" | "deadline">>;
}

/** The consequence of a result, with the operation after it. */
export type End = {
  after: Operation;
} /** Members that the entry had at the time of the decision, and must still have. */ & (
  | { is: "nothing" }
  /** The result no longer counts; its attempt returns its lease. */
  | { is: "lease returned" }
  /** Step Functions is to call the step again; the answer to these tokens says so. */
  | { is: "retried"; tokens: readonly string[]; error: AppError }
  /** The next step of the phase begins, with the same token. */
  | { is: "passed"; next: string }
  /** A do has failed for good. */
  | { is: "turned back"; error: AppError }
  | { is: "step ended" }
  /** The last step is done; the operation has failed if another step was left out. */
  | { is: "saga ended"; failure: Failure | undefined }
);

/** Decides the consequence of a step's result for its operation; reads and writes nothing. */
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

/** Whether a result still counts: its attempt is current, and the entry meets its conditions. */
const counts = (entry: StepEntry, { attempt, as = {} }: Result): boolean =>
  (attempt === undefined || isCurrent(entry, attempt)) &&
  (as.state === undefined || entry.state === as.state) &&
  (as.deadline === undefined || entry.deadline === as.deadline);

/** For a step that has ended, or that has a newer attempt. */
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

/** An attempt that ended with a retryable error may still have effects. */
const withoutLease = (entry: StepEntry, attempt: string, error: AppError | undefined): StepEntry =>
  (error?.retryable ? unanswered : released)(entry, attempt);

/** The failure of an operation whose last step ended before another one had run. */
const passedOver = (step: string): Failure =>
  failureFrom(
    step,
    new AppError(
      "Internal",
      `it ended without the step ${step}, which it began with: retry or delete`,
    ),
  );

/** The operation's failure, from the error of one of its steps. */
export const failureFrom = (step: string, error: AppError): Failure => ({
  step,
  kind: error.kind,
  message: cut(error.message, bounds.reason),
  ...(error.call !== undefined && { call: error.call }),
});
