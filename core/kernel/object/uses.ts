import {
  absent,
  all,
  any,
  compare,
  lacks,
  type TransactionRefused,
  type Update,
  type Write,
} from "../store/store.ts";
import { namedUseKey, useKey, useKeys } from "./keys.ts";
import { definitionOf, type Kinds, namesOf, type Reference } from "./kind.ts";
import { type Kind, pluralOf } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import type { Records } from "./records.ts";

/**
 * Templates, versions, host types, hubs and sites cannot be deleted while others use them. Each has counters of
 * its uses. A transaction that creates, changes or archives a user changes them; one that deletes the used
 * object, or accepts its deletion by a saga, closes them. So if an order and a deletion race, the second is
 * refused. An index could not decide this, because it lags; a check of the object's own item would make all
 * orders contend for it, while the counters are in shards. A deletion costs the same for any number of users.
 * Kinds with few users also have an item for each use: it decides nothing, but lets a refusal name the users
 * (`core/kernel/request/in-use.ts`).
 */

/** The id of an object in references to it. */
export const usedId = (kinds: Kinds, object: ObjectOf[Kind]): string =>
  definitionOf(kinds, object.kind).referencedByOthers?.id?.(object) ?? object.id;

const isNamed = (kinds: Kinds, kind: Kind): boolean =>
  definitionOf(kinds, kind).referencedByOthers?.named === true;

/** The objects that an object refers to, its project included. */
export function usesOf(kinds: Kinds, object: ObjectOf[Kind] | undefined): Reference[] {
  const definition = object && definitionOf(kinds, object.kind);
  if (!definition || definition.attached) return [];
  const { tenant, project } = object.metadata;
  const uses = definition.references?.(object) ?? [];
  return project === undefined ? uses : [...uses, { kind: "project", id: `${tenant}/${project}` }];
}

/**
 * The writes of the use counters, and of the items beside them, for a write that creates, changes or deletes
 * an object (undefined: the object does not exist). Every change of an object's references needs them.
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
  const items = (uses: Reference[]) =>
    uses
      .filter(({ kind }) => isNamed(kinds, kind))
      .map(({ kind, id }) => ({ ...namedUseKey(kind, id, user) }));
  const gained = has.filter((use) => !isIn(had, use));
  const lost = had.filter((use) => !isIn(has, use));
  return [
    ...gained.map((use) => ({ ...count(use, 1), if: open })),
    ...lost.map((use) => count(use, -1)),
    ...items(gained).map((key) => ({ put: key, if: absent })),
    ...items(lost).map((key) => ({ delete: key })),
  ];
}

const open = lacks("closed");

/**
 * Opens the use counters of a new object: a deletion of an earlier object with the same id may have closed them. An id
 * that is generated (not `chosen`) is new, unless the id in references consists of names.
 */
export function opening(kinds: Kinds, object: ObjectOf[Kind], chosen: boolean): Write[] {
  const { referencedByOthers } = definitionOf(kinds, object.kind);
  if (!referencedByOthers || !(chosen || referencedByOthers.id)) return [];
  return useKeys(object.kind, usedId(kinds, object)).map((update) => ({
    update,
    remove: ["closed"],
  }));
}

/** Closes the use counters of an object without users, so that nothing can use it from then on. */
export function closed(kinds: Kinds, object: ObjectOf[Kind]): Write[] {
  const unused = namesOf(kinds).map((user) =>
    any(lacks(pluralOf(user)), compare(pluralOf(user), "le", 0)),
  );
  return useKeys(object.kind, usedId(kinds, object)).map((update) => ({
    update,
    set: { closed: true },
    if: all(...unused),
  }));
}

/** How many objects of a kind use an object. */
export interface Users {
  kind: Kind;
  count: number;
}

/** The users of an object by kind, as its counters have them. */
export async function usersOf({ store, kinds }: Records, object: ObjectOf[Kind]): Promise<Users[]> {
  const shards = await store.getMany(useKeys(object.kind, usedId(kinds, object)));
  return namesOf(kinds)
    .map((kind) => ({
      kind,
      count: shards.reduce((sum, shard) => sum + Number(shard?.[pluralOf(kind)] ?? 0), 0),
    }))
    .filter(({ count }) => count > 0);
}

/** Whether a transaction was refused because an object that it would use is being deleted. */
export function refusedUse({ reasons }: TransactionRefused, writes: Write[]): boolean {
  return writes.some(
    (write, n) => "update" in write && write.if === open && reasons[n] !== undefined,
  );
}
