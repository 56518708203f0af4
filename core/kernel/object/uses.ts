import { AppError } from "../../error.ts";
import {
  all,
  any,
  compare,
  lacks,
  type TransactionRefused,
  type Update,
  type Write,
} from "../store/store.ts";
import { useKey, useKeys } from "./keys.ts";
import { definitionOf, type Kinds, namesOf, type Reference } from "./kind.ts";
import { type Kind, pluralOf } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import type { Records } from "./records.ts";

/**
 * Templates, versions, host types, hubs and sites cannot go while others use them. Each has counters of
 * its uses. A transaction that creates, changes or archives a user moves them; the one that deletes the
 * used object closes them. So when an order and a deletion meet, the second is refused. An index could
 * not do that, since it lags behind; a check of the object itself would make all orders contend for one
 * item, whereas the counters lie in shards. A deletion costs the same however many users there are.
 */

const usedId = (kinds: Kinds, object: ObjectOf[Kind]): string =>
  definitionOf(kinds, object.kind).referencedByOthers?.id?.(object) ?? object.id;

/** The objects that an object refers to, its project included. */
export function usesOf(kinds: Kinds, object: ObjectOf[Kind] | undefined): Reference[] {
  const definition = object && definitionOf(kinds, object.kind);
  if (!definition || definition.attached) return [];
  const { tenant, project } = object.metadata;
  const uses = definition.references?.(object) ?? [];
  return project === undefined ? uses : [...uses, { kind: "project", id: `${tenant}/${project}` }];
}

/**
 * The writes of the use counters for a write that creates, changes or deletes an object (undefined: the
 * object does not exist). Every change of an object's references needs them.
 */
export function useWrites(
  kinds: Kinds,
  before: ObjectOf[Kind] | undefined,
  after: ObjectOf[Kind] | undefined,
): Write[] {
  const user = after ?? before;
  if (!user) return [];
  const [had, has] = [usesOf(kinds, before), usesOf(kinds, after)];
  const isIn = (uses: Reference[], use: Reference) =>
    uses.some(({ kind, id }) => kind === use.kind && id === use.id);
  const count = ({ kind, id }: Reference, by: number): Update => ({
    update: useKey(kind, id, user.id),
    add: { [pluralOf(user.kind)]: by },
  });
  return [
    ...has.filter((use) => !isIn(had, use)).map((use) => ({ ...count(use, 1), if: open })),
    ...had.filter((use) => !isIn(has, use)).map((use) => count(use, -1)),
  ];
}

const open = lacks("closed");

/** Opens the use counters of a new object: its id may have been closed with an earlier object. */
export function opening(kinds: Kinds, object: ObjectOf[Kind]): Write[] {
  if (!definitionOf(kinds, object.kind).referencedByOthers) return [];
  return useKeys(object.kind, usedId(kinds, object)).map((update) => ({
    update,
    remove: ["closed"],
  }));
}

/**
 * Closes the use counters of an object that is deleted, so that nothing can use it from then on. Throws
 * FailedPrecondition when the object is in use.
 */
export async function closing({ store, kinds }: Records, object: ObjectOf[Kind]): Promise<Write[]> {
  const kindNames = namesOf(kinds);
  const { kind, id } = object;
  const keys = useKeys(kind, usedId(kinds, object));
  const shards = await store.getMany(keys);
  const users = kindNames.flatMap((user) => {
    const count = shards.reduce((sum, shard) => sum + Number(shard?.[pluralOf(user)] ?? 0), 0);
    if (count <= 0) return [];
    const name = user.replaceAll("_", " ");
    return [`${count} ${name}${count === 1 ? "" : "s"}`];
  });
  if (users.length > 0) {
    const message = `cannot delete ${kind.replaceAll("_", " ")} '${id}': in use by ${users.join(", ")}`;
    throw new AppError("FailedPrecondition", message);
  }
  const unused = kindNames.map((user) =>
    any(lacks(pluralOf(user)), compare(pluralOf(user), "le", 0)),
  );
  return keys.map((update) => ({
    update,
    set: { closed: true },
    if: all(...unused),
  }));
}

/** Whether a transaction was refused because an object that it would use is being deleted. */
export function refusedUse({ reasons }: TransactionRefused, writes: Write[]): boolean {
  return writes.some(
    (write, n) => "update" in write && write.if === open && reasons[n] !== undefined,
  );
}
