import { type AppError, toAppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import { mustLoad } from "../object/records.ts";
import { StepGone } from "./as-begun.ts";
import { type Attempt, begin, beginLook, type Task, withinTime } from "./attempt.ts";
import { Away } from "./away.ts";
import type { CoreDeps, StepDeps, WorkerDeps } from "./context.ts";
import { targetOf } from "./context.ts";
import type { Result } from "./decide-end.ts";
import { entryOf, isCurrent, outlasting, tokensOf, waiting, withEntry } from "./entry.ts";
import { halt } from "./halt.ts";
import { leaseEnd, released, unanswered } from "./leases.ts";
import { isOpen, type Operation } from "./operation.ts";
import { park } from "./park.ts";
import { nextInPhase } from "./phase.ts";
import {
  actionsOf,
  done,
  type Outcome,
  type Pending,
  pending,
  recordFailureState,
  stuckState,
  zoneOfAction,
} from "./saga.ts";
import type { SettleDeps } from "./settle.ts";
import { edit, type Sagas, sagaOf, settle, skipWaits } from "./settle.ts";
import { enterStuck, recordFailure } from "./stuck.ts";

/** How soon a waiting step is checked again when its attempt was cut off before the step set a time itself. */
const safetyLook = 30_000;

/** Runs a task until it has an answer or waits; a report, a recheck or the deadline then ends the wait. */
export async function runStep(deps: CoreDeps | StepDeps, sagas: Sagas, task: Task): Promise<void> {
  if (task.step === stuckState) return enterStuck(deps, sagas, task);
  if (task.step === recordFailureState) return recordFailure(deps, sagas, task);
  let attempt: Attempt | undefined;
  try {
    attempt = await begin(deps, sagas, task);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.kind === "Internal")
      deps.log.error({ step: task.step, detail: error.detail }, "a step did not begin");
    if (error instanceof StepGone) await halt(deps, sagas, task.operation, error, task.step);
    await deps.workflow.fail(task.token, error.kind, error.message);
    return;
  }
  await run(deps, sagas, attempt);
}

/**
 * Rechecks a waiting step: looks at the world again, then decides. Called when the recheck is due, by the queue of
 * rechecks or by the sweep of the due index, and whenever capacity was freed. A step of a phase that was handed over is
 * begun. Any other step is left unchanged.
 */
export async function lookAgain(
  deps: CoreDeps | StepDeps,
  sagas: Sagas,
  id: OperationId,
  name: string,
): Promise<void> {
  const attempt = await beginLook(deps, sagas, id, name);
  await run(deps, sagas, attempt);
}

/** Runs an attempt, and in a phase the attempts at the following steps, as long as its worker may. */
async function run(
  deps: CoreDeps | StepDeps,
  sagas: Sagas,
  attempt: Attempt | undefined,
): Promise<void> {
  for (let now = attempt; now; now = await runOne(deps, sagas, now));
}

/** Runs an attempt. Answers the attempt at the next step, if this worker continues with it. */
async function runOne(
  deps: CoreDeps | StepDeps,
  sagas: Sagas,
  attempt: Attempt,
): Promise<Attempt | undefined> {
  const { saga, operation, name, first } = attempt;
  try {
    if (first === "act") await withinTime(deps, attempt, "act");
    if (first === "look" || !attempt.action.looksLater) await withinTime(deps, attempt, "look");
    const waited = await waitFor(deps, attempt);
    return waited && (await ended(deps, attempt, waited.result, waited.known));
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.kind === "Internal")
      deps.log.error({ step: name, operation: operation.id, detail: error.detail }, "step failed");
    // A recheck that could not reach the world keeps the step waiting, and notes why.
    if (first === "look" && error.retryable)
      await noteWait(deps, attempt, pending(error.message, safetyLook), { outage: error });
    else if (error instanceof Away) await park(deps, attempt, error);
    else if (error instanceof StepGone) await haltAt(deps, sagas, attempt, error);
    else await settle(deps, saga, operation.id, name, { error, attempt: attempt.id });
    return undefined;
  }
}

/**
 * Halts the operation at a step without code, and ends its execution: the answer fails it, and the undos of an ended
 * operation do nothing.
 */
async function haltAt(
  deps: WorkerDeps,
  sagas: Sagas,
  { operation: { id }, name }: Attempt,
  error: StepGone,
): Promise<void> {
  const tokens = tokensOf(entryOf(await mustLoad(deps, "operation", id), name));
  await halt(deps, sagas, id, error, name);
  for (const token of tokens) await deps.workflow.fail(token, error.kind, error.message);
}

/** Ends a step well, and begins the next one of its phase if this worker may do it. */
async function ended(
  deps: CoreDeps | StepDeps,
  attempt: Attempt,
  result: Result,
  known: Operation | undefined,
): Promise<Attempt | undefined> {
  const { id, saga, operation, name, action, began } = attempt;
  const next = nextInPhase(saga, name);
  const hasTime = deps.wall.now() - began < deps.workerTimeout / 2;
  const goesOn = next && hasTime && zoneOfAction(next.do) === zoneOfAction(action);
  const further = { ...result, ...(goesOn && { goesOn: { id, leaseEnd: leaseEnd(deps) } }) };
  const after = await settle(deps, saga, operation.id, name, further, known);
  return (
    next &&
    after && { ...attempt, operation: after, name: next.name, action: next.do, first: "act" }
  );
}

/**
 * Calls the step's `until`, which reads only the store. The target is read after the operation, strongly
 * consistent, so it is at least as new as the operation's entry for the step.
 */
async function waitFor(
  deps: CoreDeps | StepDeps,
  attempt: Attempt,
): Promise<{ result: Result; known?: Operation } | undefined> {
  const { name, operation, action } = attempt;
  if (!action.until) return { result: { attempt: attempt.id } };
  const known = await mustLoad(deps, "operation", operation.id);
  const outcome = await decide(deps, known, attempt);
  if (outcome.done) return { result: { attempt: attempt.id }, known };
  const noted = await noteWait(deps, attempt, outcome, { known });
  if (entryOf(operation, name).state === "WAITING") return undefined;
  const since = await decide(deps, noted, attempt);
  return since.done ? { result: { as: whileWaiting }, known: noted } : undefined;
}

/** The condition for a result that was decided while the step waited. */
const whileWaiting = { state: "WAITING" } as const;

/**
 * Calls the step's `until`, which reads only the store. The target is read after the operation, strongly consistent, so
 * it is at least as new as the operation's entry for the step.
 */
async function decide(
  deps: SettleDeps,
  operation: Operation,
  { name, action }: Pick<Attempt, "name" | "action">,
): Promise<Outcome> {
  if (!action.until) return done;
  return action.until(await targetOf(deps, operation), { deps, operation, step: name });
}

/**
 * Writes the reason of a step's wait and the time of its next check, and ends the attempt. `outage`: the reason why the
 * world could not be read. Answers the operation.
 */
async function noteWait(
  deps: WorkerDeps,
  attempt: Attempt,
  outcome: Pending,
  { outage, known }: { outage?: AppError; known?: Operation },
): Promise<Operation> {
  let again = false;
  const note = (operation: Operation) => {
    const { again: asked = false, ...entry } = entryOf(operation, attempt.name);
    const counts = isOpen(entry) && isCurrent(entry, attempt.id);
    again = asked && counts;
    const free = outage
      ? outlasting(deps, unanswered(entry, attempt.id))
      : released(entry, attempt.id);
    const noted = counts ? waiting(deps, free, outcome, outage) : free;
    return withEntry(operation, attempt.name, noted);
  };
  const noted = await edit(deps, attempt.operation.id, note, known);
  await skipWaits(deps, attempt.saga, noted);
  if (again) await deps.rechecks.request(attempt.operation.id, attempt.name);
  return noted;
}

/**
 * A report changed the operation's target: settles the waits that have ended, and updates the reasons of the others.
 */
export async function wake(deps: SettleDeps, sagas: Sagas, id: OperationId): Promise<void> {
  const operation = await mustLoad(deps, "operation", id);
  const saga = sagaOf(sagas, operation);
  const waits = [...actionsOf(saga)].filter(
    ([name]) => entryOf(operation, name).state === "WAITING",
  );
  for (const [n, [name, row]] of waits.entries()) {
    // An earlier step in this loop may have changed the operation.
    const known = n === 0 ? operation : await mustLoad(deps, "operation", id);
    try {
      const outcome = await decide(deps, known, { name, ...row });
      if (outcome.done) await settle(deps, saga, id, name, { as: whileWaiting }, known);
      else if (outcome.lookAgain === 0) await deps.rechecks.request(id, name);
      else await refreshWait(deps, known, name, outcome);
    } catch (thrown) {
      const error = toAppError(thrown);
      // A step with a retryable error decides again at the next report, recheck or deadline.
      if (!error.retryable) await settle(deps, saga, id, name, { error, as: whileWaiting });
    }
  }
}

/** Writes the reason of a step's wait again; a planned check stays planned. */
async function refreshWait(
  deps: SettleDeps,
  known: Operation,
  name: string,
  outcome: Pending,
): Promise<void> {
  const refreshed = (operation: Operation) => {
    const entry = entryOf(operation, name);
    // The wait of a parked step is written again when its hub answers.
    if (entry.state !== "WAITING" || entry.retry_at !== undefined) return undefined;
    const looks = entry.look_at !== undefined || outcome.lookAgain === undefined;
    if (looks && entry.message === outcome.waitingFor) return undefined;
    const { look_at } = entry;
    const fresh = waiting(deps, entry, outcome);
    return withEntry(operation, name, looks && look_at ? { ...fresh, look_at } : fresh);
  };
  await edit(deps, known.id, refreshed, known);
}
