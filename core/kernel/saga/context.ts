import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import { changeObject } from "../events/rewrite.ts";
import { objectKey } from "../object/keys.ts";
import { mustLoad, type Records } from "../object/records.ts";
import { all, type Check, eq, lacks } from "../store/store.ts";
import type { Target } from "./operated.ts";
import type { Operation } from "./operation.ts";

/** The context of each `until`, which only reads. */
export interface Context {
  deps: Deps;
  /** The operation when this attempt began. */
  operation: Operation;
  /** The name of the state that runs. */
  step: string;
}

/** The context of each act and look of a step on a `T`. */
export interface StepContext<T> extends Context {
  /** Aborted when the worker's time is up; pass the signal to calls that can take long. */
  signal: AbortSignal;
  /**
   * Throws Cancelled when the operation has turned back, or has been asked to, since the attempt began.
   * Called before each effect outside, so that a do stops that outlives its saga. An undo is never
   * fenced off.
   */
  guard(): Promise<void>;
  /** The fence as checks of a transaction, for effects in the store; none for an undo. */
  fence(): Check[];
  /**
   * Changes the newest record of the target, on condition of its revision, and answers the target after
   * the change. Does nothing once the target has another operation or none: an attempt that outlives
   * its operation has read an outdated target. `edit` answers undefined for no change.
   */
  change(edit: Edit<T>): Promise<T>;
  /** Reads the target again: others may have changed it since the attempt began. */
  latest(): Promise<T>;
}

/**
 * Answers the changed target. An edit over a part of the target gets all of it, and keeps the rest by
 * spreading it. Declared as a method, so that an edit of the whole target fits as well.
 */
type Edit<T> = { edit(target: T): T | undefined }["edit"];

/** The members of an attempt that its context needs. */
interface Running {
  operation: Operation;
  name: string;
  undo: boolean;
}

export function stepContext(
  deps: Deps,
  { operation, name: step, undo }: Running,
  signal: AbortSignal,
): StepContext<Target> {
  return {
    deps,
    operation,
    step,
    signal,
    async guard() {
      if (signal.aborted)
        throw new AppError("Unavailable", "the worker's time was up", { cause: signal.reason });
      if (undo) return;
      refuseCancelled(await mustLoad(deps, "operation", operation.id));
    },
    fence: () => (undo ? [] : [fenceOf(operation.id)]),
    change(edit) {
      const { kind, id } = operation.spec.target;
      return changeObject(deps, kind, id, (target) =>
        target.operation === operation.id ? edit(target) : undefined,
      );
    },
    latest: () => targetOf(deps, operation),
  };
}

/** The target of an operation. Strongly consistent. Throws NotFound. */
export const targetOf = (deps: Records, { spec }: Operation): Promise<Target> =>
  mustLoad(deps, spec.target.kind, spec.target.id);

const fenceOf = (operation: OperationId): Check => ({
  check: objectKey("operation", operation),
  if: all(eq("status.state", "RUNNING"), eq("unwinding", false), lacks("cancel")),
});

/** Throws Cancelled when no do of the operation may go on. */
export function refuseCancelled(operation: Operation): void {
  if (operation.cancel) {
    throw new AppError("Cancelled", cancelMessage(operation.cancel));
  }
  if (operation.unwinding) throw new AppError("Cancelled", "the operation has turned back");
}

export const cancelMessage = (cancel: NonNullable<Operation["cancel"]>): string =>
  cancel.preempted ? "a deletion came first" : `cancelled by ${cancel.by}`;
