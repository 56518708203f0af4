import { AppError } from "../../../core/error.ts";
import type { OperationId } from "../../../core/id.ts";
import { type Step, step } from "../../../core/kernel/saga/saga.ts";
import { edit } from "../../../core/kernel/saga/settle.ts";
import type { Laptop } from "../laptop.ts";
import type { ToyAction } from "./laptop.ts";

/** Steps for sagas of a test's own, and what is done to them. */

const patience = 10 * 60_000;

/** A step that notes what was called. */
export function noting(
  log: string[],
  name: string,
  act: (...call: Parameters<NonNullable<ToyAction["act"]>>) => unknown = () => {},
): Step<ToyAction> {
  return step<ToyAction>(
    name,
    {
      act: async (...call) => {
        log.push(name);
        await act(...call);
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
