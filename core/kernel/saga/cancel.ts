import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { written } from "../events/rewrite.ts";
import { load, mustLoad } from "../object/records.ts";
import type { Acceptance } from "../request/action.ts";
import type { Caller } from "../request/caller.ts";
import type { RequestDeps } from "../request/request-deps.ts";
import type { Write } from "../store/store.ts";
import { cancelMessage } from "./context.ts";
import { targetWrites } from "./end.ts";
import { type Operated, operatingOf, type Target } from "./operated.ts";
import { isEnded, type Operation } from "./operation.ts";

declare module "../request/request-deps.ts" {
  interface RequestDeps {
    /** How operations change the objects of each kind. Loaded when needed, because few requests cancel. */
    loadOperated(): Promise<Operated>;
  }
}

/** The request to stop, as stored in the operation. */

type Cancel = NonNullable<Operation["cancel"]>;

/**
 * The writes that ask an operation to stop. A running operation unwinds. A queued operation ends at once, and its
 * target drops the change that was queued. Throws FailedPrecondition.
 */
export async function cancelWrites(
  deps: RequestDeps,
  { user }: Caller,
  before: Operation,
): Promise<Acceptance<"operation">> {
  refuseUncancellable(before);
  const cancel: Cancel = { at: timestamp(deps.clock.now()), by: user, preempted: false };
  if (before.queued) {
    const { object, writes } = written(deps, before, cancelledInQueue(before, cancel));
    const target = await targetWithoutQueued(deps, before);
    return { writes: [...writes, ...target], result: { object } };
  }
  if (before.cancel) return { writes: [], result: { object: before } };
  const { object, writes } = written(deps, before, { ...before, cancel });
  return { writes, result: { object } };
}

/** The writes that remove a queued change from its target. */
async function targetWithoutQueued(deps: RequestDeps, { spec }: Operation): Promise<Write[]> {
  const { kind, id } = spec.target;
  const operating = operatingOf({ operated: await deps.loadOperated() }, kind);
  const target = await mustLoad(deps, kind, id);
  const { queued: _, ...rest } = target;
  const after = operating.unqueued?.(rest) ?? rest;
  return targetWrites(deps, operating, target, after);
}

/** A queued operation after its cancellation: it never starts. */
function cancelledInQueue(operation: Operation, cancel: Cancel): Operation {
  const failure = {
    step: "",
    kind: "Cancelled",
    message: cancelMessage(cancel),
    given_back: true,
  };
  return {
    ...operation,
    queued: false,
    cancel,
    status: { ...operation.status, state: "CANCELLED", end_time: cancel.at, failure },
  };
}

function refuseUncancellable(operation: Operation): void {
  const { state } = operation.status;
  const why = isEnded(operation)
    ? `it has ended: ${state}`
    : operation.spec.change === "DELETE"
      ? "a deletion cannot be cancelled"
      : state === "STUCK"
        ? "it is undoing its steps and needs to be resumed"
        : operation.hold && operation.unwinding && !operation.cancel
          ? "it has failed, and what it has is held"
          : undefined;
  if (why)
    throw new AppError("FailedPrecondition", `cannot cancel operation '${operation.id}': ${why}`);
}

/**
 * The writes that a deletion of a target needs first: its running operation is asked to stop, and its queued operation
 * ends.
 */
export async function preemptingWrites(
  deps: Deps,
  caller: Caller,
  target: Pick<Target, "operation" | "queued">,
): Promise<Write[]> {
  const now = deps.clock.now();
  const running = target.operation && (await load(deps, "operation", target.operation));
  const queued = target.queued && (await load(deps, "operation", target.queued));
  const cancel = (by: string): Cancel => ({ at: timestamp(now), by, preempted: true });
  return [
    ...(running && !isEnded(running)
      ? written(deps, running, {
          ...running,
          cancel: cancel(running.cancel?.by ?? caller.user),
        }).writes
      : []),
    ...(queued && !isEnded(queued)
      ? written(deps, queued, cancelledInQueue(queued, cancel(caller.user))).writes
      : []),
  ];
}
