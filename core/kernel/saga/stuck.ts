import { bounds, cut } from "../../bounds.ts";
import { hours, timestamp } from "../../clock.ts";
import { asOperationId, type OperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import { written } from "../events/rewrite.ts";
import type { Failure } from "../object/failure.ts";
import { load, mustLoad } from "../object/records.ts";
import { type Operated, unstuck } from "../object/traits.ts";
import { optimistically } from "../store/optimistically.ts";
import type { Task } from "./attempt.ts";
import { endWrites } from "./end.ts";
import { answered, entryOf, newEntry, withEntry } from "./entry.ts";
import { isEnded, type Operation } from "./operation.ts";
import { stepToDo } from "./phase.ts";
import { type Shape, stuckState } from "./saga.ts";
import type { SettleDeps } from "./settle.ts";
import { answer, type Shapes, sagaOf } from "./settle.ts";
import { keepToken } from "./tokens.ts";

/** The end of a saga that failed: undone and recorded, or stuck until a person resumes it. */

/**
 * The step that the saga turned back in, and why: the step's own error if it recorded one, else the error that Step
 * Functions reported (a timeout, a worker that never answered).
 */
function failureOf(saga: Shape, operation: Operation, failure: Task["failure"]): Failure {
  const step = stepToDo(saga, operation, failure?.step ?? "");
  const entry = operation.steps[step];
  return {
    step,
    kind: entry?.error ?? failure?.error ?? "Internal",
    message: entry?.message ?? cut(wordsOf(failure?.cause), bounds.reason),
    ...(entry?.call !== undefined && { call: entry.call }),
  };
}

/** The message in the cause of a Lambda that threw: JSON with `errorMessage`. */
function wordsOf(cause: string | undefined): string {
  if (!cause) return "no reason was given";
  try {
    const { errorMessage } = JSON.parse(cause);
    return typeof errorMessage === "string" ? errorMessage : cause;
  } catch {
    return cause;
  }
}

/** RecordFailure: every undo is done, and the operation ends FAILED or CANCELLED. */
export async function recordFailure(deps: SettleDeps, shapes: Shapes, task: Task): Promise<void> {
  const id = asOperationId(task.operation);
  await optimistically(deps.store, async () => {
    const operation = await mustLoad(deps, "operation", id);
    if (isEnded(operation)) return { writes: [], result: undefined };
    const saga = sagaOf(shapes, operation);
    const failure = operation.failure ?? failureOf(saga, operation, task.failure);
    return {
      writes: await endWrites(deps, saga, operation, operation, failure),
      result: undefined,
    };
  });
  await deps.workflow.succeed(task.token);
}

/** Step Functions ends an execution after a year, whatever it waits for. */
const longestStuck = hours(366 * 24);

/**
 * Stuck: an undo failed for good. The operation keeps everything and says why operator action is required. Safe to
 * repeat at any time: an operation that has continued or ended since is left unchanged.
 */
export async function enterStuck(deps: SettleDeps, shapes: Shapes, task: Task): Promise<void> {
  const token = await keepToken(deps, task.token, longestStuck);
  const id = asOperationId(task.operation);
  const after = await editWithTarget(deps, id, (operation) => {
    const known = entryOf(operation, stuckState).token === token;
    if (known || isEnded(operation)) return undefined;
    const { resume: _, ...rest } = operation;
    const failure = failureOf(sagaOf(shapes, operation), operation, task.failure);
    return withEntry(
      {
        ...rest,
        status: {
          ...operation.status,
          state: "STUCK",
          failure: { ...failure, given_back: false },
        },
      },
      stuckState,
      {
        ...newEntry(Object.keys(operation.steps).length),
        state: "WAITING",
        start_time: timestamp(deps.clock.now()),
        token,
        message: "operator action required: remove the cause, then resume the operation",
      },
    );
  });
  if (isEnded(after)) await deps.workflow.fail(task.token, "Cancelled", "the operation has ended");
  else await answer(deps, entryOf(after, stuckState));
}

/** Changes an operation, and in the same write the target's `stuck` member. */
const editWithTarget = (
  deps: Deps,
  id: OperationId,
  change: (operation: Operation) => Operation | undefined,
): Promise<Operation> =>
  optimistically(deps.store, async () => {
    const before = await mustLoad(deps, "operation", id);
    const after = change(before);
    if (!after) return { writes: [], result: before };
    const { kind, id: targetId } = after.spec.target;
    const target = await load(deps, kind, targetId);
    const { writes } = written(deps, before, after);
    if (target?.operation === id)
      writes.push(...written(deps, target, { ...unstuck(target), ...stuckIn(after) }).writes);
    return { writes, result: after };
  });

/**
 * The target's `stuck` member. An operation that a deletion follows continues by itself, so it does not count as stuck.
 */
const stuckIn = ({ status: { state, failure }, cancel }: Operation): Pick<Operated, "stuck"> =>
  state === "STUCK" && failure && !cancel?.preempted ? { stuck: failure } : {};

/**
 * Resumes the chain of undos after a person requested it; undos that are done answer at once. After a deletion, which
 * undoes everything, the rest of the chain is skipped.
 */
export async function resumeStuck(deps: SettleDeps, id: OperationId): Promise<void> {
  const operation = await editWithTarget(deps, id, (before) => {
    const goesOn = before.resume !== undefined || before.cancel?.preempted === true;
    if (before.status.state !== "STUCK" || !goesOn) return undefined;
    const { resume: _, ...rest } = before;
    const { failure: __, ...status } = before.status;
    const entry = answered(deps, entryOf(before, stuckState));
    return withEntry({ ...rest, status: { ...status, state: "RUNNING" } }, stuckState, entry);
  });
  await answer(deps, entryOf(operation, stuckState));
}
