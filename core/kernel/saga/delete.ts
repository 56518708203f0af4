import { timestamp } from "../../clock.ts";
import type { Deps } from "../deps.ts";
import { written } from "../events/rewrite.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { putNew } from "../object/records.ts";
import { type OperatedKind, unstuck } from "../object/traits.ts";
import type { Acceptance } from "../request/action.ts";
import { type Caller, mustSee } from "../request/caller.ts";
import { type Accepted, type Match, refuseStale } from "../request/checks.ts";
import { closing } from "../request/in-use.ts";
import { optimistically } from "../store/optimistically.ts";
import type { Write } from "../store/store.ts";
import { preemptingWrites } from "./cancel.ts";
import { newOperation } from "./new-operation.ts";

/** A saga, by its name or by the target. */
export type SagaName<K extends OperatedKind> = string | ((target: ObjectOf[K]) => string);

export const nameFor = <K extends OperatedKind>(saga: SagaName<K>, target: ObjectOf[K]): string =>
  typeof saga === "string" ? saga : saga(target);

/** The saga that deletes an object, and further changes of the deletion. */
interface Deletion<K extends OperatedKind> {
  saga: SagaName<K>;
  /** Changes of the target that take effect when the deletion is accepted; none by default. */
  condemned?(target: ObjectOf[K]): ObjectOf[K];
  /** Further writes of an accepted deletion. Throws FailedPrecondition for a target that must not be deleted. */
  further?(target: ObjectOf[K]): Promise<Write[]>;
}

/**
 * Accepts the deletion of an object that sagas change. Its running operation is preempted, its queued operation is
 * dropped, and the deletion starts when the running operation has ended. A second request changes nothing. From now on
 * nothing can use the object, even if the deletion fails. Throws NotFound, PreconditionFailed, FailedPrecondition when
 * it is in use.
 */
export function acceptDeletion<K extends OperatedKind>(
  deps: Deps,
  caller: Caller,
  { kind, id, match = {}, ...deletion }: Deletion<K> & { kind: K; id: string; match?: Match },
): Promise<Accepted<K>> {
  return optimistically(deps.store, async () => {
    const before = await mustSee(deps, caller, kind, id);
    refuseStale(before, match);
    return deletionWrites(deps, caller, before, deletion);
  });
}

/** The writes of an accepted deletion; none for an object that is being deleted already. */
export async function deletionWrites<K extends OperatedKind>(
  deps: Deps,
  caller: Caller,
  before: ObjectOf[K],
  { saga, condemned = (target) => target, further }: Deletion<K>,
): Promise<Acceptance<K>> {
  const { metadata, operation: running, queued } = before;
  const under = queued ?? running;
  if (metadata.deletion_timestamp && under)
    return { writes: [], result: { object: before, operation: under } };
  const operation = newOperation(deps, {
    saga: nameFor(saga, before),
    change: "DELETE",
    target: before,
    creator: caller.user,
    queued: running !== undefined,
  });
  const deletion_timestamp = metadata.deletion_timestamp ?? timestamp(deps.clock.now());
  const { object, writes: own } = written<ObjectOf[K]>(deps, before, {
    ...condemned(unstuck(before)),
    metadata: { ...metadata, deletion_timestamp },
    ...(running === undefined ? { operation: operation.id } : { queued: operation.id }),
  });
  const writes = [
    ...own,
    ...putNew(deps.kinds, operation),
    ...(await preemptingWrites(deps, caller, before)),
    ...((await further?.(before)) ?? []),
    ...(await closing(deps, caller, before)),
  ];
  return { writes, result: { object, operation: operation.id } };
}
