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

/** The sagas that carry out the orders of a kind, by name. */
export interface OrderSagas<K extends OperatedKind> {
  kind: K;
  create: SagaName<K>;
  /** The saga that carries out this change; undefined for a change that is only written, the default. */
  update?(before: ObjectOf[K], after: ObjectOf[K]): string | undefined;
  /** The object when an operation starts; by default its last failure is cleared. */
  started?(object: ObjectOf[K], operation: OperationId): ObjectOf[K];
  /** Whether the claims of a new object are held when its creation fails; by default they are not. */
  holds?(object: ObjectOf[K]): boolean;
  /**
   * The order of a retry, for an object without a running operation; undefined for an object that has not failed.
   * Throws QuotaExceeded.
   */
  again?: AgainOf<K>;
  /** The kind's own texts about retries: their effect, and the reason of a refusal. */
  retry?: { description: string; refusal(object: ObjectOf[K]): string };
  delete: SagaName<K>;
  /** The object with the changes that take effect when its deletion is accepted; none by default. */
  condemned?(object: ObjectOf[K]): ObjectOf[K];
}

type AgainOf<K extends OperatedKind> = (
  deps: Deps,
  object: ObjectOf[K],
) => Promise<Again<K> | undefined>;

/** A retry: the saga, the object as accepted, and the writes with it. */
export interface Again<K extends OperatedKind> {
  saga: string;
  change: OperationChange;
  object: ObjectOf[K];
  writes: Write[];
  /**
   * Whether the retry adopts the parts that the last operation has not released; by default it does if there are any.
   */
  adopts?: boolean;
}

/**
 * Requests that sagas carry out: the operation is stored in the transaction that accepts the request. A change of an
 * object with a running operation waits behind it, and reads the spec when it starts. An object that is being deleted
 * cannot be changed: that throws FailedPrecondition.
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
      // The saga continues with the parts that were not released.
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

/** The object with a running operation; its last failure is cleared. */
function underWay<T extends Operated>(object: T, operation: OperationId): T {
  const { failure: _, ...rest } = object;
  // The removed members are optional in every such object, which the compiler cannot infer.
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
