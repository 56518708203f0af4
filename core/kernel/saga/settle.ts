import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import { changeObject, written } from "../events/rewrite.ts";
import { load, mustLoad } from "../object/records.ts";
import { optimistically } from "../store/optimistically.ts";
import type { Write } from "../store/store.ts";
import type { Saga } from "./action.ts";
import { sagaAsBegun } from "./as-begun.ts";
import { cancelMessage } from "./context.ts";
import { decideEnd, type End, failureFrom, type Result } from "./decide-end.ts";
import { endWrites } from "./end.ts";
import { entryOf, isDone, skipped, tokensOf, withEntry } from "./entry.ts";
import { mayStillLand } from "./leases.ts";
import type { OperatedDeps } from "./operated.ts";
import { operatingOf } from "./operated.ts";
import { isOpen, type Operation, type StepEntry } from "./operation.ts";
import type { RecheckDeps } from "./rechecks.ts";
import { type ActionShape, type SagaOf, type Shape, stepsOf, undoName } from "./saga.ts";
import type { TaskAnswers } from "./workflow.ts";

/** What a function has that ends steps. */
export interface SettleDeps extends OperatedDeps, RecheckDeps {
  workflow: TaskAnswers;
}

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
  // A deleted saga is only a name in old operations, without steps to do or undo.
  return sagas[name] ?? { name, comment: "", nodes: [], irreversible: true };
}

/**
 * Changes the operation, and records its event in the same write. `known` is the operation as just read or written; it
 * is read again only if somebody else has written it since.
 */
export const edit = (
  deps: Deps,
  id: OperationId,
  change: (operation: Operation) => Operation | undefined,
  known?: Operation,
): Promise<Operation> => changeObject(deps, "operation", id, change, known);

/**
 * Ends a step: writes its result, then answers its token. The last step of a saga ends the operation in the same write.
 * A do that fails for good raises the fence in that write, and its open siblings fail too. Safe to repeat for a step
 * that has ended: the answer is sent again. `attempt` is the attempt whose lease is returned; `known` as in `edit`. A
 * step within a phase passes its token on instead; then this answers the operation if the attempt `goesOn` has begun
 * the next step.
 */
export async function settle(
  deps: SettleDeps,
  saga: Shape,
  id: OperationId,
  name: string,
  result: Result = {},
  known?: Operation,
): Promise<Operation | undefined> {
  let first = known;
  const { end, operation } = await optimistically(deps.store, async () => {
    const before = first ?? (await mustLoad(deps, "operation", id));
    first = undefined;
    const end = decideEnd(deps, saga, before, name, result);
    const operation = await operationAfter(deps, name, end);
    return {
      writes: await writesOf(deps, saga, before, operation, end),
      result: { end, operation },
    };
  });
  switch (end.is) {
    case "retried":
      // Answers: the tokens are spent, because Step Functions calls again with another.
      for (const token of end.tokens)
        await deps.workflow.fail(token, end.error.kind, end.error.message);
      return undefined;
    case "passed":
      if (result.goesOn !== undefined) return operation;
      await deps.rechecks.request(id, end.next);
      return undefined;
    default:
      await answer(deps, entryOf(operation, name));
      if (end.is === "turned back") await cancelOpen(deps, saga, operation);
      return undefined;
  }
}

const operationAfter = async (deps: SettleDeps, name: string, end: End): Promise<Operation> =>
  end.is === "turned back" ? await turnedBack(deps, end.after, name, end.error) : end.after;

async function writesOf(
  deps: SettleDeps,
  saga: Shape,
  before: Operation,
  operation: Operation,
  end: End,
): Promise<Write[]> {
  if (end.is === "nothing") return [];
  if (end.is !== "saga ended") return written(deps, before, operation).writes;
  return await endWrites(deps, saga, before, operation, end.failure);
}

/**
 * The operation with its fence raised, with the failure that it turned back on and the last observations of its target.
 */
async function turnedBack(
  deps: SettleDeps,
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

/** Sends the answer of an ended step; false when no task waits for it any more. */
export async function answer(deps: SettleDeps, entry: StepEntry): Promise<boolean> {
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
 * Fails every open do: the operation is cancelled, or a sibling failed. A running attempt keeps its lease; the undo
 * waits for it.
 */
export async function cancelOpen(
  deps: SettleDeps,
  saga: Shape,
  operation: Operation,
): Promise<void> {
  for (const { name } of stepsOf(saga.nodes)) {
    if (!isOpen(entryOf(operation, name))) continue;
    const why = operation.cancel ? cancelMessage(operation.cancel) : "another step failed";
    await settle(deps, saga, operation.id, name, { error: new AppError("Cancelled", why) });
  }
}

/**
 * If a deletion follows, skips undos that wait for the world, because the deletion undoes everything. An undo with a
 * running attempt ends the attempt first, so that its effects do not collide with the deletion.
 */
export async function skipWaits(
  deps: SettleDeps,
  saga: Shape,
  operation: Operation,
): Promise<void> {
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
