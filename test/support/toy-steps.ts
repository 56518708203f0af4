import { AppError } from "../../core/error.ts";
import type { OperationId } from "../../core/id.ts";
import type { StepContext } from "../../core/kernel/saga/context.ts";
import { type Action, type Step, step } from "../../core/kernel/saga/saga.ts";
import { edit } from "../../core/kernel/saga/settle.ts";
import type { Laptop } from "./laptop.ts";

/** Steps for sagas of a test's own, and what is done to them. */

const patience = 10 * 60_000;

/** A step that notes what was called. */
export function noting(
  log: string[],
  name: string,
  act: (context: StepContext) => unknown = () => {},
): Step<Action<StepContext>> {
  return step<Action<StepContext>>(
    name,
    {
      act: async (context) => {
        log.push(name);
        await act(context);
      },
      deadline: patience,
    },
    {
      act: async () => {
        log.push(`Undo ${name}`);
      },
      deadline: patience,
    },
  );
}

export const refuse = (): never => {
  throw new AppError("Rejected", "the fabric says no");
};

/** Asks an operation to stop, as the API does. */
export const cancel = (laptop: Laptop, id: OperationId, { preempted = false } = {}) =>
  edit(laptop.deps, id, (operation) => ({
    ...operation,
    cancel: { at: "2026-01-01T00:00:00.000Z", by: "alice", preempted },
  }));
