import type { NewEvent } from "./history.ts";

/**
 * The failure of a state: `error` is the name that Retry and Catch match, `cause` is text for people, `event` is the
 * history event of the failure, unless the history has it already.
 */
export class StateError extends Error {
  readonly error: string | undefined;
  override readonly cause: string | undefined;
  readonly event: NewEvent | undefined;

  constructor(error: string | undefined, cause: string | undefined, event?: NewEvent) {
    super(`${error ?? "no error name"}: ${cause ?? "no cause"}`);
    this.name = "StateError";
    this.error = error;
    this.cause = cause;
    this.event = event;
  }
}

/** Why a branch of an execution must end; Retry and Catch do not apply to it. */
export type InterruptReason =
  | "sibling failed"
  | "stopped"
  | "timed out"
  | "engine closed"
  | "not written";

export class Interrupt extends Error {
  readonly reason: InterruptReason;

  constructor(reason: InterruptReason) {
    super(reason);
    this.name = "Interrupt";
    this.reason = reason;
  }
}

/** Whether the execution stays unfinished in the database, for the next engine to continue. */
export const isLeft = (thrown: unknown): thrown is Interrupt =>
  thrown instanceof Interrupt &&
  (thrown.reason === "engine closed" || thrown.reason === "not written");

/** A refusal of the service, with AWS's name. */
export class ServiceError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** Errors that no wildcard matches (developer guide, "Handling errors in workflows"). */
const terminal = new Set<string | undefined>(["States.DataLimitExceeded", "States.Runtime"]);

/** Whether an `ErrorEquals` list names this error, directly or through a wildcard. */
export function matchesError(errorEquals: readonly string[], error: string | undefined): boolean {
  return errorEquals.some((name) => {
    if (name === error) return true;
    if (terminal.has(error)) return false;
    return name === "States.ALL" || (name === "States.TaskFailed" && error !== "States.Timeout");
  });
}

/** Converts an error inside a state to the error that the state fails with. */
export function toStateError(thrown: unknown): StateError {
  if (thrown instanceof StateError) return thrown;
  const cause = thrown instanceof Error ? thrown.message : String(thrown);
  return new StateError("States.Runtime", cause);
}
