import { timestamp } from "../../clock.ts";
import { guarded } from "../../effect.ts";
import { AppError } from "../../error.ts";
import { asOperationId, type OperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import { mustLoad } from "../object/records.ts";
import type { Action, Saga } from "./action.ts";
import { refuseCancelled, stepContext, targetOf } from "./context.ts";
import {
  beganLook,
  begun,
  entryOf,
  isDone,
  liveLeases,
  mayStillLand,
  newEntry,
  withEntry,
  withoutSpentTokens,
} from "./entry.ts";
import type { Target } from "./operated.ts";
import { isEnded, type Operation } from "./operation.ts";
import { actionsOf, isParallel, type Shape, stepsOf, taskLimit } from "./saga.ts";
import { edit, type Sagas, sagaOf, settle } from "./settle.ts";
import { withinShare } from "./shares.ts";
import { keepToken } from "./tokens.ts";

/** The call of a worker by Step Functions. */
export interface Task {
  operation: string;
  step: string;
  token: string;
  failure?: { step: string; error: string; cause: string };
}

/** One attempt at a step. The attempt holds a lease until it is over. */
export interface Attempt {
  id: string;
  saga: Saga;
  operation: Operation;
  name: string;
  action: Action<Target>;
  undo: boolean;
}

/**
 * Begins an attempt. Answers undefined when there is nothing to do: the step is done already, the undo
 * has nothing to take back, or the attempt came too late. Throws Cancelled for a do that must not run
 * any more, Unavailable for an undo that has to wait until an earlier do can no longer have effects.
 */
export async function begin(deps: Deps, sagas: Sagas, task: Task): Promise<Attempt | undefined> {
  const id = asOperationId(task.operation);
  const now = await mustLoad(deps, "operation", id);
  const saga = sagaOf(sagas, now);
  const row = actionsOf(saga).get(task.step);
  if (!row) throw new AppError("Internal", `saga ${saga.name} has no step ${task.step}`);
  const known = row.undo ? await turnBack(deps, saga, now) : now;
  const token = await keepToken(deps, task.token, taskLimit(row.action));

  const attempt = deps.newId();
  let already = false;
  const begin = (before: Operation) => {
    const entry = entryOf(before, task.step);
    already = isDone(entry);
    if (already) return undefined;
    if (isEnded(before)) throw new AppError("Cancelled", "the operation has ended");
    if (!row.undo && !saga.irreversible) refuseCancelled(before);
    const entered = enter(deps, saga, before, task.step);
    return withEntry(
      entered,
      task.step,
      begun(deps, entry, { id: attempt, token, action: row.action }),
    );
  };
  const operation = await edit(deps, id, begin, known);
  if (already) {
    await deps.workflow.succeed(task.token);
    return undefined;
  }
  const entry = entryOf(operation, task.step);
  if (entry.deadline !== undefined && deps.clock.now() > Date.parse(entry.deadline)) {
    await settle(deps, saga, id, task.step, { error: pastDeadline(entry), attempt }, operation);
    return undefined;
  }
  if (row.undo && isIdle(operation, task.step)) {
    await settle(deps, saga, id, task.step, { attempt, skipped: true }, operation);
    return undefined;
  }
  return { id: attempt, saga, operation, name: task.step, ...row };
}

/**
 * Raises the fence, so that no new do begins, and answers the operation. Throws Unavailable while a do may
 * still run, until it has returned its lease or outlived it, and while an unanswered call of a do can
 * still take effect: Step Functions then tries the undo again.
 */
async function turnBack(deps: Deps, saga: Shape, known: Operation): Promise<Operation> {
  const raised = (before: Operation) =>
    before.unwinding ? undefined : { ...before, unwinding: true };
  const operation = await edit(deps, known.id, raised, known);
  const alive = stepsOf(saga.nodes).find((row) => mayStillLand(deps, entryOf(operation, row.name)));
  if (alive)
    throw new AppError("Unavailable", `an earlier attempt of ${alive.name} has not ended yet`);
  return operation;
}

/** The operation once a step is entered: it runs, lists all its steps, and has dropped spent tokens. */
function enter(deps: Deps, saga: Shape, before: Operation, step: string): Operation {
  const listed = Object.fromEntries(
    stepsOf(saga.nodes).map((row, position) => [row.name, newEntry(position)]),
  );
  const beside = new Set(siblingsOf(saga, step));
  const operation: Operation = {
    ...before,
    steps: { ...listed, ...before.steps },
    estimate: timestamp(deps.clock.now() + usualRest(saga, step)),
    status: {
      ...before.status,
      state: "RUNNING",
      start_time: before.status.start_time ?? timestamp(deps.clock.now()),
    },
  };
  return withoutSpentTokens(operation, (name) => !beside.has(name));
}

/** The steps of the branches that run beside the branch of this step. */
function siblingsOf(saga: Shape, step: string): string[] {
  const branchesOf = saga.nodes.map((node) => (isParallel(node) ? node.branches : []));
  const isHere = ({ steps }: { steps: { name: string }[] }) =>
    steps.some(({ name }) => name === step);
  return branchesOf
    .filter((branches) => branches.some(isHere))
    .flatMap((branches) => branches.filter((branch) => !isHere(branch)))
    .flatMap(({ steps }) => steps.map(({ name }) => name));
}

/**
 * The usual time that this step and those after it take, in milliseconds; the times of branches are
 * added up.
 */
function usualRest(saga: Shape, step: string): number {
  const rows = stepsOf(saga.nodes);
  const from = rows.findIndex((row) => row.name === step);
  return from < 0 ? 0 : rows.slice(from).reduce((sum, row) => sum + (row.do.usually ?? 0), 0);
}

/**
 * An undo has nothing to do when its do never began, when a deletion follows and undoes everything, or
 * when the operation is on hold.
 */
function isIdle(operation: Operation, undo: string): boolean {
  if (operation.cancel?.preempted || (operation.hold && !operation.cancel)) return true;
  return operation.steps[undo.replace(/^Undo /, "")]?.attempts === 0;
}

/**
 * Begins a recheck of a step that waits. Answers undefined when the step does not wait (any more), or
 * when a recheck is under way: that recheck is followed by one more, however many are requested
 * meanwhile.
 */
export async function beginLook(
  deps: Deps,
  sagas: Sagas,
  id: OperationId,
  name: string,
): Promise<Attempt | undefined> {
  const known = await mustLoad(deps, "operation", id);
  const saga = sagaOf(sagas, known);
  const row = actionsOf(saga).get(name);
  if (!row) return undefined;
  const attempt = deps.newId();
  let looks = false;
  const begin = (before: Operation) => {
    const entry = entryOf(before, name);
    const fenced =
      !row.undo && !saga.irreversible && (before.unwinding || before.cancel !== undefined);
    const underWay = Object.keys(liveLeases(deps, entry)).length > 0;
    looks = entry.state === "WAITING" && !fenced && !underWay;
    if (!looks)
      return underWay && !entry.again
        ? withEntry(before, name, { ...entry, again: true })
        : undefined;
    return withEntry(before, name, beganLook(deps, entry, attempt));
  };
  const operation = await edit(deps, id, begin, known);
  return looks ? { id: attempt, saga, operation, name, ...row } : undefined;
}

export function pastDeadline(entry: { message?: string }): AppError {
  const last = entry.message ? `; last: ${entry.message}` : "";
  return new AppError("DeadlineExceeded", `not done within its time${last}`);
}

/** Of an attempt that ran longer than its worker may. Its effects may still land until its lease has run out. */
const late = (): AppError =>
  new AppError("Unavailable", "the step took longer than a worker may; it is tried again");

/**
 * Runs an effect of an attempt on its target, under the guard of the attempt and within the worker's
 * time limit and its share of workers. Throws Unavailable past them.
 */
export async function withinTime(
  deps: Deps,
  attempt: Attempt,
  effect: "act" | "look",
): Promise<void> {
  const { action, operation } = attempt;
  if (!action[effect]) return;
  const limit = new AbortController();
  const timer = deps.wall.after(deps.workerTimeout, () => limit.abort(late()));
  const over = new Promise<never>((_, reject) => {
    limit.signal.addEventListener("abort", () => reject(limit.signal.reason), { once: true });
  });
  const context = stepContext(deps, attempt, limit.signal);
  const work = async () => {
    const target = await targetOf(deps, operation);
    const cut = (error: AppError) => limit.abort(error);
    await withinShare(deps, attempt, target, cut, () => action[effect]?.(target, context));
  };
  try {
    await Promise.race([guarded(context.guard, work), over]);
  } finally {
    timer.cancel();
  }
}
