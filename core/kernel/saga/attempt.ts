import { bounds, cut } from "../../bounds.ts";
import { guarded } from "../../effect.ts";
import { AppError } from "../../error.ts";
import { asOperationId, type OperationId } from "../../id.ts";
import { type OutsideCall, watched } from "../../outside.ts";
import type { Deps } from "../deps.ts";
import { mustLoad } from "../object/records.ts";
import type { Saga, StepAction } from "./action.ts";
import { StepGone, withPlan, withPlanKept } from "./as-begun.ts";
import type { CoreDeps, StepDeps, WorkerDeps } from "./context.ts";
import { refuseCancelled, stepContext, targetOf } from "./context.ts";
import { beganLook, entryOf, isDone, isHandedOver, withEntry, withOpenFailed } from "./entry.ts";
import { leaseEnd, liveLeases, mayStillLand } from "./leases.ts";
import type { Target } from "./operated.ts";
import { isEnded, type Operation } from "./operation.ts";
import { pastDeadline } from "./past-deadline.ts";
import { rowsOfTask, stepToDo, withBegun, withHandedOver } from "./phase.ts";
import { type OperationPlan, planOf } from "./plan.ts";
import {
  type ActionShape,
  actionsOf,
  backwards,
  fromTheTop,
  type Shape,
  stepsOf,
  taskLimit,
  zoneOfAction,
} from "./saga.ts";
import { edit, type Sagas, sagaOf, settle, tableOf } from "./settle.ts";
import { withinShare } from "./shares.ts";
import { keepToken } from "./tokens.ts";

/** The call of a worker by Step Functions. */
export interface Task {
  operation: string;
  step: string;
  token: string;
  failure?: { step: string; error: string; cause: string };
  /** The plan of the execution's definition; the first task of the execution has it. */
  plan?: OperationPlan;
}

/** One attempt at a step. The attempt holds a lease until it is over. */
export interface Attempt {
  id: string;
  saga: Saga;
  operation: Operation;
  name: string;
  action: StepAction<Target>;
  undo: boolean;
  /** The first effect: the recheck of a waiting step begins with `look`, because it must not act again. */
  first: "act" | "look";
  /** When its worker's run began, perhaps with an earlier step. */
  began: number;
}

/**
 * Begins an attempt. Answers undefined if nothing is left to do: the step is done, the undo has no effects to revert,
 * or the attempt is late. Throws Cancelled for a do that may no longer run, and Unavailable for an undo while an
 * earlier do can still have effects.
 */
export async function begin(
  deps: WorkerDeps,
  sagas: Sagas,
  task: Task,
): Promise<Attempt | undefined> {
  const began = deps.wall.now();
  const id = asOperationId(task.operation);
  const now = await mustLoad(deps, "operation", id);
  const saga = await sagaOfTask(deps, sagas, now, task);
  const plan = planOf(saga.nodes);
  const rows = rowsOfTask(saga, task.step);
  const [first] = rows.values();
  if (!first) throw new StepGone(saga.name, task.step);
  const known = first.undo && !isEnded(now) ? await turnBack(deps, saga, now) : now;
  if (first.undo && isTooFarDown(saga, known, task.step)) {
    await deps.workflow.fail(task.token, fromTheTop, "what an earlier operation left goes first");
    return undefined;
  }
  const limit = taskLimit([...rows.values()].map(({ action }) => action));
  const token = await keepToken(deps, task.token, limit);

  const attempt = deps.newId();
  let [name, row] = [task.step, first];
  const isHere = () => zoneOfAction(row.action) === zoneOfAction(first.action);
  let already = false;
  const begin = (before: Operation) => {
    name = stepToDo(saga, before, task.step);
    row = rows.get(name) ?? first;
    already = isDone(entryOf(before, name));
    if (already) return undefined;
    if (isEnded(before)) throw new AppError("Cancelled", "the operation has ended");
    if (!row.undo && !saga.irreversible) refuseCancelled(before);
    const planned = before.plan === undefined ? withPlanKept(before, plan) : before;
    if (!isHere()) return withHandedOver(deps, saga, planned, name, [token]);
    const { action } = row;
    return withBegun(
      deps,
      saga,
      planned,
      { name, action },
      { id: attempt, leaseEnd: leaseEnd(deps), tokens: [token] },
    );
  };
  const operation = await edit(deps, id, begin, known);
  if (already) await deps.workflow.succeed(task.token);
  else if (!isHere()) await deps.rechecks.request(id, name);
  else return inTime(deps, { ...row, id: attempt, saga, operation, name, first: "act", began });
  return undefined;
}

/**
 * The saga as the operation began it. The first task of an execution has the plan of its definition. For definitions
 * without one, the plan is read from Step Functions, once; without an execution, the steps that the operation lists
 * count.
 */
async function sagaOfTask(
  deps: WorkerDeps,
  sagas: Sagas,
  operation: Operation,
  task: Task,
): Promise<Saga> {
  if (operation.plan !== undefined) return sagaOf(sagas, operation);
  const plan = task.plan ?? (await deps.workflow.plan(operation.spec.saga, operation.id));
  return plan ? withPlan(tableOf(sagas, operation), plan) : sagaOf(sagas, operation);
}

/** The attempt that has begun; undefined if its step had nothing to do and was ended here. */
async function inTime(deps: WorkerDeps, attempt: Attempt): Promise<Attempt | undefined> {
  const { id, saga, operation, name, action } = attempt;
  const entry = entryOf(operation, name);
  const isLate = entry.deadline !== undefined && deps.clock.now() > Date.parse(entry.deadline);
  const isVain = attempt.undo && isIdle(operation, name, action);
  if (!isLate && !isVain) return attempt;
  const result = isLate ? { error: pastDeadline(entry, deps.clock.now()) } : { skipped: true };
  await settle(deps, saga, operation.id, name, { attempt: id, ...result }, operation);
  return undefined;
}

/**
 * Raises the fence, so that no new do begins, and answers the operation. An open do has lost its task: a branch beside
 * it has failed, and two workers died, the one that should fail the do and the do's own. Throws Unavailable while a do
 * may still run, until its lease is returned or has ended, and while an unanswered call of a do can still take effect.
 * Step Functions then tries the undo again.
 */
async function turnBack(deps: Deps, saga: Shape, known: Operation): Promise<Operation> {
  const dos = stepsOf(saga.nodes).map(({ name }) => name);
  const raised = (before: Operation) => {
    const over = new AppError("Cancelled", "the operation has turned back");
    const closed = withOpenFailed(deps, before, dos, over);
    return before.unwinding && closed === before ? undefined : { ...closed, unwinding: true };
  };
  const operation = await edit(deps, known.id, raised, known);
  const alive = dos.find((name) => mayStillLand(deps, entryOf(operation, name)));
  if (alive) throw new AppError("Unavailable", `an earlier attempt of ${alive} has not ended yet`);
  return operation;
}

/**
 * An undo has nothing to do when its do never began, when a deletion follows and undoes everything, or
 * when the operation is on hold.
 */
function isIdle(operation: Operation, undo: string, { fromOrder }: ActionShape): boolean {
  if (leavesAll(operation)) return true;
  return (
    !fromOrder && !operation.adopts && operation.steps[undo.replace(/^Undo /, "")]?.attempts === 0
  );
}

const leavesAll = ({ cancel, hold }: Operation): boolean =>
  cancel?.preempted === true || (hold === true && !cancel);

/**
 * Whether the chain of undos was entered too low. The operation adopts the steps of an earlier one, and turned back
 * before it reached all of them. The undos of the unreached steps have to run first.
 */
function isTooFarDown(saga: Shape, operation: Operation, undo: string): boolean {
  if (!operation.adopts || leavesAll(operation)) return false;
  const chain = backwards(saga.nodes).map(({ name }) => name);
  return chain.slice(0, chain.indexOf(undo)).some((name) => !isDone(entryOf(operation, name)));
}

/**
 * Begins a recheck of a waiting step, or the step itself if it was handed over. Answers undefined when there is
 * neither, or when an attempt is at work: one more recheck follows it, however many are requested meanwhile.
 */
export async function beginLook(
  deps: WorkerDeps,
  sagas: Sagas,
  id: OperationId,
  name: string,
): Promise<Attempt | undefined> {
  const began = deps.wall.now();
  const known = await mustLoad(deps, "operation", id);
  const saga = sagaOf(sagas, known);
  const row = actionsOf(saga).get(name);
  if (!row) return undefined;
  const { action } = row;
  const attempt = deps.newId();
  let first: "act" | "look" | undefined;
  const begin = (before: Operation) => {
    const entry = entryOf(before, name);
    const fenced =
      !row.undo && !saga.irreversible && (before.unwinding || before.cancel !== undefined);
    const underWay = Object.keys(liveLeases(deps, entry)).length > 0;
    const begun = { id: attempt, leaseEnd: leaseEnd(deps) };
    first = undefined;
    if (underWay)
      return entry.again ? undefined : withEntry(before, name, { ...entry, again: true });
    if (fenced) return undefined;
    if (isHandedOver(entry)) {
      first = "act";
      return withBegun(deps, saga, before, { name, action }, { ...begun, tokens: [] });
    }
    if (entry.state !== "WAITING") return undefined;
    first = "look";
    return withEntry(before, name, beganLook(deps, entry, begun));
  };
  const operation = await edit(deps, id, begin, known);
  if (!first) return undefined;
  const look: Attempt = { ...row, id: attempt, saga, operation, name, first, began };
  return first === "act" ? inTime(deps, look) : look;
}

/**
 * The error of an attempt that exceeded its worker's time limit, with the call that it was waiting for. Its effects may
 * still land until its lease ends.
 */
function late({ workerTimeout }: WorkerDeps, open: Set<OutsideCall>): AppError {
  const known: OutsideCall = Object.assign({}, ...[...open].reverse());
  const message = known.words
    ? `${known.words} did not answer in time`
    : `the step did not end within ${workerTimeout / 1000} s; it is tried again`;
  const error = new AppError("Unavailable", message, { call: known.call });
  if (known.from) error.from = known.from;
  return error;
}

/** What a step has. Throws Internal for a step outside whose worker is the core zone's. */
function reached(deps: CoreDeps | StepDeps, { name, action }: Attempt): StepDeps {
  if (deps.zone !== "core") return deps;
  const zone = zoneOfAction(action);
  if (zone !== "core")
    throw new AppError("Internal", "internal error", {
      detail: `${name} is a step of zone ${zone}`,
    });
  // A step of the core zone reaches no system outside. The types of actions do not tell the zones apart.
  return deps as WorkerDeps as StepDeps;
}

/**
 * Runs an effect of an attempt on its target, under the guard of the attempt, within the worker's time limit and its
 * share of workers. Throws Unavailable beyond them.
 */
export async function withinTime(
  deps: CoreDeps | StepDeps,
  attempt: Attempt,
  effect: "act" | "look",
): Promise<void> {
  const { action, operation } = attempt;
  if (!action[effect]) return;
  const limit = new AbortController();
  const left = attempt.began + deps.workerTimeout - deps.wall.now();
  const open = new Set<OutsideCall>();
  const timer = deps.wall.after(Math.max(0, left), () => limit.abort(late(deps, open)));
  const over = new Promise<never>((_, reject) => {
    limit.signal.addEventListener("abort", () => reject(limit.signal.reason), { once: true });
  });
  /** The last call that its system refused. */
  let refused: AppError["refused"];
  const watch = (call: OutsideCall) => {
    open.add(call);
    return () => {
      open.delete(call);
      const { call: words, status = 0 } = call;
      // An object that is not found is not a refusal.
      if (words !== undefined && status >= 400 && status !== 404)
        refused = { call: cut(words, bounds.name), status };
    };
  };
  const context = stepContext(reached(deps, attempt), attempt, limit.signal);
  const work = async () => {
    const target = await targetOf(deps, operation);
    const stop = (error: AppError) => limit.abort(error);
    await withinShare(deps, attempt, target, stop, () => action[effect]?.(target, context));
  };
  try {
    await Promise.race([guarded(context.guard, () => watched(watch, work)), over]);
  } catch (error) {
    // Adapters name the system and the reason of a refusal; the call is known here.
    if (error instanceof AppError && refused) {
      error.refused ??= refused;
      if (error.kind === "Rejected") error.call ??= refused.call;
    }
    throw error;
  } finally {
    timer.cancel();
  }
}
