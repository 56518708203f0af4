import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import { definitionOf } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { putNew } from "../object/records.ts";
import type { Operated, OperatedKind } from "../object/traits.ts";
import { acceptDeletion } from "../saga/delete.ts";
import { newOperation } from "../saga/new-operation.ts";
import type { Target } from "../saga/operated.ts";
import type { Change } from "../saga/operation.ts";
import type { Write } from "../store/store.ts";
import type { Caller } from "./caller.ts";
import type { Accepted, Match } from "./checks.ts";
import type { Definition, WireInput } from "./definition.ts";

/** Orders: requests that a saga carries out. The operation is stored in the transaction that accepts the request. */

/** The object as it is accepted, and what has to be written with it. */
interface Ordered<K extends Kind> {
  object: ObjectOf[K];
  writes: Write[];
}

/** A new object with the operation that makes it, if its kind has sagas. */
export function orderedNew<K extends Kind, Input extends WireInput>(
  deps: Deps,
  caller: Caller,
  { sagas }: Definition<K, Input>,
  made: ObjectOf[K],
): Ordered<K> {
  if (!sagas) return { object: made, writes: [] };
  const operation = newOperation(deps, request(sagas.create, "CREATE", made, caller));
  const ordered = { ...made, operation: operation.id };
  const status = definitionOf(deps.kinds, made.kind).status?.(ordered, deps.clock.now());
  return {
    object: { ...ordered, ...(status && { status }) },
    writes: putNew(deps.kinds, operation),
  };
}

/**
 * A changed object with the operation that brings the change about: a new one, or the one that waits in the
 * queue, which reads the spec when it starts. Throws FailedPrecondition for an object that is being deleted.
 */
export function orderedChange<K extends Kind, Input extends WireInput>(
  deps: Deps,
  caller: Caller,
  { sagas }: Definition<K, Input>,
  before: ObjectOf[K],
  after: ObjectOf[K],
): Ordered<K> {
  const saga = sagas?.update?.(before, after);
  if (saga === undefined) return { object: after, writes: [] };
  if (before.metadata.deletion_timestamp)
    throw new AppError("FailedPrecondition", `'${before.id}' is being deleted`);
  const { operation: running, queued } = operatedIn(after);
  if (queued !== undefined) return { object: after, writes: [] };
  const isQueued = running !== undefined;
  const operation = newOperation(deps, {
    ...request(saga, "UPDATE", after, caller),
    queued: isQueued,
  });
  const member = isQueued ? "queued" : "operation";
  return {
    object: { ...after, [member]: operation.id },
    writes: putNew(deps.kinds, operation),
  };
}

/** Accepts the deletion of an object that a saga takes away. Throws NotFound, PreconditionFailed, FailedPrecondition. */
export function orderDeletion<K extends Kind, Input extends WireInput>(
  deps: Deps,
  caller: Caller,
  { kind, sagas, remove }: Definition<K, Input>,
  id: string,
  match: Match,
): Promise<Accepted<K>> {
  const saga = sagas?.delete;
  if (saga === undefined) throw new AppError("Internal", `no saga deletes a ${kind}`);
  // Only kinds whose objects are operated have sagas, which the compiler cannot follow.
  const deletion = { kind: kind as OperatedKind, id, saga, match };
  const further = remove && ((object: Target) => remove(deps, object as ObjectOf[K]));
  return acceptDeletion(deps, caller, {
    ...deletion,
    ...(further && { further }),
  }) as Promise<Accepted<K>>;
}

/** The operation that an answer names: the one that waits in the queue, or the one that runs. */
export function operationOf(object: ObjectOf[Kind]): OperationId | undefined {
  const { queued, operation } = operatedIn(object);
  return queued ?? operation;
}

/** The operations of an object; an object of a kind that has none has none of these members. */
const operatedIn = (object: ObjectOf[Kind]): Operated => object as Operated;

const request = (saga: string, change: Change, target: ObjectOf[Kind], { user }: Caller) => ({
  saga,
  change,
  // Only kinds whose objects are operated have sagas, which the compiler cannot follow.
  target: target as Target,
  creator: user,
});
