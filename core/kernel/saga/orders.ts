import { AppError } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { definitionOf } from "../object/kind.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { putNew } from "../object/records.ts";
import type { OperatedKind } from "../object/traits.ts";
import type { Caller } from "../request/caller.ts";
import type { Orders } from "../request/definition.ts";
import { acceptDeletion } from "./delete.ts";
import { newOperation } from "./new-operation.ts";
import type { Change } from "./operation.ts";

/** The sagas that carry out what is ordered of a kind, by name. */
export interface OrderSagas<K extends OperatedKind> {
  kind: K;
  create: string;
  /** The saga that brings about this change; undefined for one that is only written, as all are by default. */
  update?(before: ObjectOf[K], after: ObjectOf[K]): string | undefined;
  delete: string;
}

/**
 * Requests that sagas carry out: the operation is stored in the transaction that accepts the request. A change
 * of an object whose operation runs waits in its queue, and reads the spec when it starts. An object that is
 * being deleted is not changed: that throws FailedPrecondition.
 */
export function ordersBy<K extends OperatedKind>(sagas: OrderSagas<K>): Orders<K> {
  const { kind } = sagas;
  return {
    made(deps, caller, object) {
      const operation = operationOn(deps, caller, sagas.create, "CREATE", object);
      const ordered = { ...object, operation: operation.id };
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
        object: { ...after, [queued ? "queued" : "operation"]: operation.id },
        operation: operation.id,
        writes: putNew(deps.kinds, operation),
      };
    },
    deleted: (deps, caller, deletion) =>
      acceptDeletion(deps, caller, { kind, saga: sagas.delete, ...deletion }),
  };
}

const operationOn = <K extends OperatedKind>(
  deps: Deps,
  { user: creator }: Caller,
  saga: string,
  change: Change,
  target: ObjectOf[K],
  queued = false,
) => newOperation(deps, { saga, change, target, creator, queued });
