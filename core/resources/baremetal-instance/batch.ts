import type { Deps } from "../../kernel/deps.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import { objectIn } from "../../kernel/object/records.ts";
import { mayGoOn, stillGoesOn } from "../../kernel/saga/fence.ts";
import type { Operation } from "../../kernel/saga/operation.ts";
import type { Other } from "../../placement/reserve/writes.ts";
import type { BaremetalInstance } from "./model.ts";
import { instanceSagas } from "./sagas.ts";

/**
 * Servers that were ordered together get their hosts at the same time. The first waiting member requests hosts
 * for all: only it is in the queue, and one transaction places every waiting member. A member that is deleted
 * or cancelled meanwhile leaves the batch.
 */

/** A member that waits for its host, and the operation that creates it. */
export interface WaitingBatch extends Other<"baremetal_instance"> {
  operation: Operation;
}

/** The member that requests hosts for this one; undefined if this one does so itself, or is in no batch. */
export async function askedBy(
  deps: Pick<Deps, "store" | "kinds">,
  { id, batch }: BaremetalInstance,
): Promise<WaitingBatch | undefined> {
  const earlier = batch?.members.slice(0, batch.members.indexOf(id)) ?? [];
  return (await waiting(deps, earlier))[0];
}

/** The other waiting members of the server's batch. */
export const waitingWith = (
  deps: Pick<Deps, "store" | "kinds">,
  { id, batch }: BaremetalInstance,
): Promise<WaitingBatch[]> =>
  waiting(
    deps,
    (batch?.members ?? []).filter((member) => member !== id),
  );

async function waiting(
  { store, kinds }: Pick<Deps, "store" | "kinds">,
  members: readonly string[],
): Promise<WaitingBatch[]> {
  if (members.length === 0) return [];
  const items = await store.getMany(members.map((id) => objectKey("baremetal_instance", id)));
  const unplaced = items.flatMap((item) => {
    const object = item && objectIn<"baremetal_instance">(kinds, item);
    const isUnplaced = object?.batch && !object.placement && object.operation !== undefined;
    return isUnplaced ? [{ object, operation: object.operation ?? "" }] : [];
  });
  const operations = await store.getMany(
    unplaced.map(({ operation }) => objectKey("operation", operation)),
  );
  return unplaced.flatMap(({ object }, n): WaitingBatch[] => {
    const item = operations[n];
    const operation = item && objectIn<"operation">(kinds, item);
    if (operation?.spec.saga !== instanceSagas.create || !mayGoOn(operation)) return [];
    return [{ object, operation, stillWaits: stillGoesOn(operation) }];
  });
}
