import type { Deps } from "../../deps.ts";
import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import { objectKey } from "../object/keys.ts";
import { mustLoad } from "../object/records.ts";
import { all, type Check, eq, lacks } from "../store/store.ts";
import type { Operation } from "./operation.ts";

/** What the kernel hands to every do, undo, look and until. */
export interface StepContext {
  deps: Deps;
  /** As it was when this attempt began. */
  operation: Operation;
  /** The name of the state that runs. */
  step: string;
  /** Ends when the worker's time is up; pass it to what can wait long. */
  signal: AbortSignal;
  /**
   * Throws Cancelled when the operation has turned back (or is asked to) since: called before each
   * effect outside, so that a do that outlives its saga stops. An undo is never fenced off.
   */
  guard(): Promise<void>;
  /** The same as a part of a transaction, for effects in the store; none for an undo. */
  fence(): Check[];
}

export function stepContext(
  deps: Deps,
  operation: Operation,
  step: string,
  undo: boolean,
  signal: AbortSignal,
): StepContext {
  return {
    deps,
    operation,
    step,
    signal,
    async guard() {
      if (signal.aborted)
        throw new AppError("Unavailable", "the worker's time was up", { cause: signal.reason });
      if (undo) return;
      refuseCancelled(await mustLoad(deps.store, "operation", operation.id));
    },
    fence: () => (undo ? [] : [fenceOf(operation.id)]),
  };
}

const fenceOf = (operation: OperationId): Check => ({
  check: objectKey("operation", operation),
  if: all(eq("status.state", "RUNNING"), eq("unwinding", false), lacks("cancel")),
});

/** Throws Cancelled when a do must not go on. */
export function refuseCancelled(operation: Operation): void {
  if (operation.cancel) {
    throw new AppError("Cancelled", cancelMessage(operation.cancel));
  }
  if (operation.unwinding) throw new AppError("Cancelled", "the operation has turned back");
}

export const cancelMessage = (cancel: NonNullable<Operation["cancel"]>): string =>
  cancel.preempted ? "a deletion came first" : `cancelled by ${cancel.by}`;
