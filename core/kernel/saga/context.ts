import { AppError } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { changeObject } from "../events/rewrite.ts";
import { objectKey } from "../object/keys.ts";
import { mustLoad, type Records } from "../object/records.ts";
import { all, type Check, type Write } from "../store/store.ts";
import { entryOf, isCurrent } from "./entry.ts";
import { isAttemptOf, isGoingOn } from "./fence.ts";
import type { Target } from "./operated.ts";
import type { Operation } from "./operation.ts";
import type { Zone } from "./saga.ts";
import type { SettleDeps } from "./settle.ts";
import type { WorkerShares } from "./shares.ts";
import type { TaskAnswers, Workflow } from "./workflow.ts";

/** The context of each `until`, which only reads the store. */
export interface Context<D extends Deps = Deps> {
  deps: D;
  /** The operation when this attempt began. */
  operation: Operation;
  /** The name of the state that runs. */
  step: string;
}

/** Further writes in the transaction that changes the target. */
type Beside = () => Write[];

/** What every worker has. */
export interface WorkerDeps extends SettleDeps {
  workflow: TaskAnswers & Pick<Workflow, "plan">;
  /** The longest run of a worker invocation, in real milliseconds; leases last a little longer. */
  workerTimeout: number;
  /** No limits by default. */
  shares?: WorkerShares;
}

/** What the worker of the core zone has. */
export interface CoreDeps extends WorkerDeps {
  zone: "core";
}

/** What the workers of hubs and sites have, and so their steps. A port adds the system that they reach. */
export interface StepDeps extends WorkerDeps {
  zone: Exclude<Zone, "core">;
}

/** The context of each act and look of a step on a `T`. */
export interface StepContext<T> extends Context<StepDeps> {
  /** Aborted when the worker's time is up; pass the signal to calls that can take long. */
  signal: AbortSignal;
  /**
   * Throws Cancelled when a newer attempt of the step has begun or the step has ended; in a do also when the operation
   * has turned back, or was asked to. Adapters call it before each request that changes something outside
   * (`core/effect.ts`), so that an attempt that outlives its step or its saga has no further effect.
   */
  guard(): Promise<void>;
  /** The same conditions as checks in a transaction, for effects in the store. */
  fence(): Check[];
  /**
   * Changes the newest record of the target, on condition of its revision, and answers the changed target. Does nothing
   * once the target has another operation or none. Throws Cancelled when a newer attempt of the step has begun or the
   * step has ended: an attempt that outlives its step has read an outdated world. `edit` answers undefined for no
   * change; `beside` answers the writes that go with the last answer of `edit`.
   */
  change(edit: Edit<T>, beside?: Beside): Promise<T>;
  /** Reads the target again: others may have changed it since the attempt began. */
  latest(): Promise<T>;
}

/**
 * Answers the changed target. An edit typed for a part of the target gets the whole, and keeps the rest by spreading
 * it. Declared as a method, so that an edit of the whole target fits as well.
 */
type Edit<T> = { edit(target: T): T | undefined | Promise<T | undefined> }["edit"];

/** The members of an attempt that its context needs. */
interface Running {
  id: string;
  operation: Operation;
  name: string;
  undo: boolean;
}

export function stepContext(
  deps: StepDeps,
  { id: attempt, operation, name: step, undo }: Running,
  signal: AbortSignal,
): StepContext<Target> {
  const isMine = isAttemptOf(step, attempt);
  /** Throws Cancelled when a newer attempt has begun, or the step has ended; else answers the operation. */
  const refuseOvertaken = async (): Promise<Operation> => {
    const now = await mustLoad(deps, "operation", operation.id);
    if (isCurrent(entryOf(now, step), attempt)) return now;
    throw new AppError("Cancelled", "a newer attempt works on the step, or the step has ended");
  };
  return {
    deps,
    operation,
    step,
    signal,
    async guard() {
      if (signal.aborted)
        throw new AppError("Unavailable", "the worker's time was up", { cause: signal.reason });
      const now = await refuseOvertaken();
      if (!undo) refuseCancelled(now);
    },
    fence: () => [
      {
        check: objectKey("operation", operation.id),
        if: undo ? isMine : all(isMine, isGoingOn),
      },
    ],
    change(edit, beside) {
      const { kind, id } = operation.spec.target;
      const edited = async (target: Target) => {
        // Runs after the target was read: if a newer attempt begins after this check, its writes come later
        // than this read.
        await refuseOvertaken();
        return target.operation === operation.id ? edit(target) : undefined;
      };
      return changeObject(deps, kind, id, edited, undefined, beside);
    },
    latest: () => targetOf(deps, operation),
  };
}

/** The target of an operation. Strongly consistent. Throws NotFound. */
export const targetOf = (deps: Records, { spec }: Operation): Promise<Target> =>
  mustLoad(deps, spec.target.kind, spec.target.id);

/** Throws Cancelled when no do of the operation may continue. */
export function refuseCancelled(operation: Operation): void {
  if (operation.cancel) {
    throw new AppError("Cancelled", cancelMessage(operation.cancel));
  }
  if (operation.unwinding) throw new AppError("Cancelled", "the operation has turned back");
}

export const cancelMessage = (cancel: NonNullable<Operation["cancel"]>): string =>
  cancel.preempted ? "a deletion came first" : `cancelled by ${cancel.by}`;
