import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import { written } from "../events/rewrite.ts";
import { definitionOf } from "../object/kind.ts";
import { oneOf } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { putNew } from "../object/records.ts";
import type { Operated, OperatedKind } from "../object/traits.ts";
import type { Action } from "../request/action.ts";
import type { Caller } from "../request/caller.ts";
import { refuseTooMuch } from "../request/checks.ts";
import type { Orders } from "../request/definition.ts";
import { oncePerCounter } from "../store/once-per-counter.ts";
import type { Write } from "../store/store.ts";
import { acceptDeletion, nameFor, type SagaName } from "./delete.ts";
import { newOperation } from "./new-operation.ts";
import type { OperationChange } from "./operation.ts";

/** The sagas that carry out what is ordered of a kind, by name. */
export interface OrderSagas<K extends OperatedKind> {
  kind: K;
  create: SagaName<K>;
  /** The saga that brings about this change; undefined for one that is only written, as all are by default. */
  update?(before: ObjectOf[K], after: ObjectOf[K]): string | undefined;
  /** The object as an operation starts on it; by default it forgets how the last one failed. */
  started?(object: ObjectOf[K], operation: OperationId): ObjectOf[K];
  /** Whether what was claimed for a new object is held when it cannot be made; by default it is not. */
  holds?(object: ObjectOf[K]): boolean;
  /** What a retry orders of an object at rest; undefined for one that has not failed. Throws QuotaExceeded. */
  again?: AgainOf<K>;
  /** What a retry does, and why it is refused, in words of the kind's own. */
  retry?: { description: string; refusal(object: ObjectOf[K]): string };
  delete: SagaName<K>;
  /** What changes of an object at once when its deletion is accepted; nothing by default. */
  condemned?(object: ObjectOf[K]): ObjectOf[K];
}

type AgainOf<K extends OperatedKind> = (
  deps: Deps,
  object: ObjectOf[K],
) => Promise<Again<K> | undefined>;

/** What is ordered again: the saga, the object as it is accepted, and what is written with it. */
export interface Again<K extends OperatedKind> {
  saga: string;
  change: OperationChange;
  object: ObjectOf[K];
  writes: Write[];
  /** Whether it takes over what the last operation has not released; by default where there is such a thing. */
  adopts?: boolean;
}

/**
 * Requests that sagas carry out: the operation is stored in the transaction that accepts the request. A change
 * of an object whose operation runs waits in its queue, and reads the spec when it starts. An object that is
 * being deleted is not changed: that throws FailedPrecondition.
 */
export function ordersBy<K extends OperatedKind>(sagas: OrderSagas<K>): Orders<K> {
  const { kind, again, condemned, started = underWay<ObjectOf[K]> } = sagas;
  return {
    made(deps, caller, object) {
      const operation = {
        ...operationOn(deps, caller, nameFor(sagas.create, object), "CREATE", object),
        ...held(sagas, object),
      };
      const ordered = started(object, operation.id);
      const status = definitionOf(deps.kinds, kind).status?.(ordered, deps.clock.now());
      return {
        object: { ...ordered, ...(status && { status }) },
        operation: operation.id,
        writes: putNew(deps.kinds, operation),
      };
    },
    changed(deps, caller, before, after) {
      const saga = sagas.update?.(before, after);
      if (saga === undefined) return { object: after, writes: [] };
      if (before.metadata.deletion_timestamp)
        throw new AppError("FailedPrecondition", `'${before.metadata.name}' is being deleted`);
      const { operation: running, queued: waiting } = after;
      if (waiting !== undefined) return { object: after, operation: waiting, writes: [] };
      const queued = running !== undefined;
      const operation = operationOn(deps, caller, saga, "UPDATE", after, queued);
      return {
        object: queued ? { ...after, queued: operation.id } : started(after, operation.id),
        operation: operation.id,
        writes: putNew(deps.kinds, operation),
      };
    },
    ...(again && { retry: retryBy({ ...sagas, started }, again) }),
    deleted: (deps, caller, deletion) =>
      acceptDeletion(deps, caller, {
        ...{ kind, saga: sagas.delete, ...deletion },
        ...(condemned && { condemned }),
      }),
  };
}

const retryBy = <K extends OperatedKind>(
  sagas: OrderSagas<K> & Required<Pick<OrderSagas<K>, "started">>,
  againOf: AgainOf<K>,
): Action<K> => ({
  summary: `Retry ${oneOf(sagas.kind)}`,
  description:
    sagas.retry?.description ?? "Orders again what has failed, with what it was ordered with.",
  destroys: false,
  async accept(before, { deps, caller }) {
    const isAtRest = !before.operation && !before.metadata.deletion_timestamp;
    const again = isAtRest ? await againOf(deps, before) : undefined;
    if (!again) throw notToRetry(sagas, before);
    const { adopts = before.failure?.given_back === false } = again;
    const operation = {
      ...operationOn(deps, caller, again.saga, again.change, again.object),
      ...(again.change === "CREATE" && held(sagas, again.object)),
      // What was not released is there for the saga to continue with.
      ...(adopts && { adopts }),
    };
    const after = sagas.started(again.object, operation.id);
    const { object, writes: own } = written<ObjectOf[K]>(deps, before, after);
    const writes = oncePerCounter([...own, ...putNew(deps.kinds, operation), ...again.writes]);
    refuseTooMuch(writes);
    return { writes, result: { object, operation: operation.id } };
  },
});

function notToRetry<K extends OperatedKind>(
  { retry }: OrderSagas<K>,
  object: ObjectOf[K],
): AppError {
  const { kind, metadata, status } = object;
  const what = `${kind.replaceAll("_", " ")} '${metadata.name}'`;
  const state = "state" in status ? `: it is ${status.state}` : "";
  const message = retry?.refusal(object) ?? `nothing of ${what} is to be retried${state}`;
  return new AppError("FailedPrecondition", message);
}

const held = <K extends OperatedKind>({ holds }: OrderSagas<K>, object: ObjectOf[K]) =>
  holds?.(object) ? { hold: true } : {};

/** The object with an operation, which begins by forgetting how the last one failed. */
function underWay<T extends Operated>(object: T, operation: OperationId): T {
  const { failure: _, ...rest } = object;
  // What is left out is optional in every such object, which the compiler cannot follow.
  return { ...rest, operation } as unknown as T;
}

const operationOn = <K extends OperatedKind>(
  deps: Deps,
  { user: creator }: Caller,
  saga: string,
  change: OperationChange,
  target: ObjectOf[K],
  queued = false,
) => newOperation(deps, { saga, change, target, creator, queued });
