import { bounds, cut } from "../../bounds.ts";
import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import { changeObject, written } from "../events/rewrite.ts";
import type { Failure } from "../object/failure.ts";
import { load, mustLoad } from "../object/records.ts";
import { optimistically } from "../store/optimistically.ts";
import type { Saga } from "./action.ts";
import { sagaAsBegun } from "./as-begun.ts";
import { cancelMessage } from "./context.ts";
import { endWrites } from "./end.ts";
import {
  answered,
  entryOf,
  isCurrent,
  isDone,
  retrying,
  skipped,
  tokensOf,
  withEntry,
} from "./entry.ts";
import { mayStillLand, released, unanswered } from "./leases.ts";
import { operatingOf } from "./operated.ts";
import { isOpen, type Operation, type StepEntry } from "./operation.ts";
import { nextInPhase, passedOn } from "./phase.ts";
import { type ActionShape, type SagaOf, type Shape, stepsOf, undoName } from "./saga.ts";

/** Sagas by name. `Shapes` have no code of steps. */
export type Sagas = Record<string, Saga>;
export type Shapes = Record<string, Shape>;

/** The saga of an operation, as it began it. */
export function sagaOf<A extends ActionShape>(
  sagas: Record<string, SagaOf<A>>,
  operation: Operation,
): SagaOf<A> {
  return sagaAsBegun(tableOf(sagas, operation), operation);
}

/** The saga of an operation, as its table is today. */
export function tableOf<A extends ActionShape>(
  sagas: Record<string, SagaOf<A>>,
  { spec: { saga: name } }: Operation,
): SagaOf<A> {
  // One that is gone has a name in old operations, and nothing that it could do or take back.
  return sagas[name] ?? { name, comment: "", nodes: [], irreversible: true };
}

/**
 * Changes the operation, and records its event in the same write. `known` is the operation as it was
 * just read or written; it is read again only if somebody else has written it since.
 */
export const edit = (
  deps: Deps,
  id: OperationId,
  change: (operation: Operation) => Operation | undefined,
  known?: Operation,
): Promise<Operation> => changeObject(deps, "operation", id, change, known);

/** How a step ends, and what must still hold for that. */
export interface Result {
  error?: AppError;
  /** The step had nothing to do. */
  skipped?: boolean;
  /** The attempt whose result this is. Once a newer attempt has begun, nothing changes but its lease. */
  attempt?: string;
  /** The attempt that goes on with the next step of the phase; without one a worker is asked to. */
  goesOn?: string;
  /** Members that the entry must still have, as they were when the result was decided. */
  as?: Partial<Pick<StepEntry, "state" | "deadline">>;
}

/**
 * Ends a step: writes its result, then answers its token. The last step of a saga ends the operation in
 * the same write. A do that fails for good raises the fence in that write, and its open siblings fail
 * too. Harmless when the step has ended already: the answer is sent again. `attempt` is the attempt
 * whose lease is returned. `known` is the operation as in `edit`. A step within a phase passes its token on
 * instead; answers the operation if the attempt `goesOn` has begun the next step.
 */
export async function settle(
  deps: Deps,
  saga: Shape,
  id: OperationId,
  name: string,
  result: Result = {},
  known?: Operation,
): Promise<Operation | undefined> {
  const rows = stepsOf(saga.nodes);
  const forward = rows.some((row) => row.name === name);
  const last = rows.at(-1)?.name === name;
  const next = nextInPhase(saga, name);
  let tokens: string[] = [];
  let { error } = result;
  let ends = false;
  let first = known;
  const turnsBack = () => forward && !saga.irreversible && error !== undefined && !error.retryable;
  const changed = (before: Operation, after: Operation) => written(deps, before, after).writes;
  const operation = await optimistically(deps.store, async () => {
    const before = first ?? (await mustLoad(deps, "operation", id));
    first = undefined;
    const entry = entryOf(before, name);
    tokens = tokensOf(entry);
    error = result.error;
    ends = isOpen(entry) && counts(entry, result);
    // A cancel was accepted, so the last step must not succeed.
    if (last && !saga.irreversible && before.cancel && isOpen(entry))
      error ??= new AppError("Cancelled", cancelMessage(before.cancel));
    const after = settled(deps, before, name, { ...result, ...(error && { error }), ends });
    if (!after) return { writes: [], result: before };
    if (!ends) return { writes: changed(before, after), result: after };
    if (next && !error) {
      const passed = passedOn(deps, saga, after, name, next, result.goesOn);
      return { writes: changed(before, passed), result: passed };
    }
    const fenced = error && turnsBack() ? await turnedBack(deps, after, name, error) : after;
    if (!last || error) return { writes: changed(before, fenced), result: fenced };
    const leftOut = rows.find((row) => !isDone(entryOf(fenced, row.name)));
    const failure = leftOut && passedOver(leftOut.name);
    return { writes: await endWrites(deps, saga, before, fenced, failure), result: fenced };
  });
  if (ends && error?.retryable) {
    // This answer spends the tokens: Step Functions calls again with another.
    for (const token of tokens) await deps.workflow.fail(token, error.kind, error.message);
    return undefined;
  }
  if (ends && next && !error) {
    if (result.goesOn !== undefined) return operation;
    await deps.rechecks.request(id, next.name);
    return undefined;
  }
  await answer(deps, entryOf(operation, name));
  if (ends && turnsBack()) await cancelOpen(deps, saga, operation);
  return undefined;
}

/** Of an operation whose last step has ended before another one began: it has not succeeded. */
const passedOver = (step: string): Failure =>
  failureFrom(
    step,
    new AppError(
      "Internal",
      `it ended without the step ${step}, which it began with: retry or delete`,
    ),
  );

/**
 * The operation with its fence raised, the failure that it turned back on, and what was seen of its
 * target at that time.
 */
async function turnedBack(
  deps: Deps,
  operation: Operation,
  name: string,
  error: AppError,
): Promise<Operation> {
  const failure = operation.failure ?? failureFrom(name, error);
  if (operation.diagnostics || operation.cancel) return { ...operation, unwinding: true, failure };
  const { kind, id } = operation.spec.target;
  const target = await load(deps, kind, id);
  const { diagnose } = operatingOf(deps, kind);
  const diagnostics = target && diagnose ? await diagnose(deps, target) : [];
  return { ...operation, unwinding: true, failure, diagnostics };
}

/** Whether a result still is the step's: its attempt is current, and the entry is as it has to be. */
const counts = (entry: StepEntry, { attempt, as = {} }: Result): boolean =>
  (attempt === undefined || isCurrent(entry, attempt)) &&
  (as.state === undefined || entry.state === as.state) &&
  (as.deadline === undefined || entry.deadline === as.deadline);

/** The operation with this step ended; undefined when there is nothing left to write. */
function settled(
  deps: Deps,
  before: Operation,
  name: string,
  { error, attempt, skipped: idle, ends }: Result & { ends: boolean },
): Operation | undefined {
  const entry = entryOf(before, name);
  const holdsLease = attempt !== undefined && attempt in (entry.leases ?? {});
  if (!ends && !holdsLease) return undefined;
  const over = error?.retryable ? unanswered : released;
  const free = attempt === undefined ? entry : over(entry, attempt);
  if (!ends) return withEntry(before, name, free);
  if (idle) return withEntry(before, name, skipped(deps, free));
  return withEntry(
    before,
    name,
    error?.retryable ? retrying(deps, free, error) : answered(deps, free, error),
  );
}

/** Sends the answer of an ended step; false when no task waits for it any more. */
export async function answer(deps: Deps, entry: StepEntry): Promise<boolean> {
  const { state, error = "Internal", message = "" } = entry;
  if (!isDone(entry) && state !== "FAILED") return false;
  let waited = false;
  for (const token of tokensOf(entry)) {
    const took = isDone(entry)
      ? await deps.workflow.succeed(token)
      : await deps.workflow.fail(token, error, message);
    waited ||= took;
  }
  return waited;
}

/**
 * Fails every do that is still open: the operation is cancelled, or a sibling failed. An attempt
 * that runs keeps its lease; the undo waits for it.
 */
export async function cancelOpen(deps: Deps, saga: Shape, operation: Operation): Promise<void> {
  for (const { name } of stepsOf(saga.nodes)) {
    if (!isOpen(entryOf(operation, name))) continue;
    const why = operation.cancel ? cancelMessage(operation.cancel) : "another step failed";
    await settle(deps, saga, operation.id, name, { error: new AppError("Cancelled", why) });
  }
}

/**
 * Skips undos that wait for the world when a deletion follows, which undoes everything. An undo that
 * has an attempt at work ends the attempt first: its effects must not land on what the deletion leaves.
 */
export async function skipWaits(deps: Deps, saga: Shape, operation: Operation): Promise<void> {
  if (saga.irreversible || !operation.cancel?.preempted) return;
  const undos = stepsOf(saga.nodes).map(({ name }) => undoName(name));
  const after = await edit(deps, operation.id, (before) => {
    const idle = undos.filter((name) => {
      const entry = entryOf(before, name);
      const waits = entry.state === "WAITING" || entry.retry_at !== undefined;
      return waits && !mayStillLand(deps, entry);
    });
    if (idle.length === 0) return undefined;
    return idle.reduce(
      (current, name) => withEntry(current, name, skipped(deps, entryOf(current, name))),
      before,
    );
  });
  for (const name of undos) await answer(deps, entryOf(after, name));
}

const failureFrom = (step: string, error: AppError): Failure => ({
  step,
  kind: error.kind,
  message: cut(error.message, bounds.reason),
  ...(error.call !== undefined && { call: error.call }),
});
