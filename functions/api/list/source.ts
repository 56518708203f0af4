import {
  countKey,
  inProjectPartition,
  kindPartition,
  labelKindPartition,
  labelPartition,
  objectKey,
  projectCountKey,
  tenantPartition,
  totalKeys,
} from "../../../core/kernel/object/keys.ts";
import { isLabel, type Label, sharedTenant } from "../../../core/kernel/object/metadata.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import { objectIn } from "../../../core/kernel/object/records.ts";
import type { Caller } from "../../../core/kernel/request/caller.ts";
import type { Item, Key, Query, Store } from "../../../core/kernel/store/store.ts";
import { definitionOf, kinds } from "../registry.ts";

/** A part of a list, in order of creation. */
export interface Partition extends Pick<Query, "pk" | "index" | "range"> {
  /** The items are entries with the ids of the objects, instead of the objects. */
  ids?: true;
}

/** What a list is read from. */
export interface Source {
  partitions: Partition[];
  /** Whether an object that was read belongs to the list. It may have changed since its entry was read. */
  isIn(object: ObjectOf[Kind]): boolean;
  total(): Promise<number>;
  /** The total is counted one by one, so only the first page does it: page tokens carry it on. */
  isCounted: boolean;
}

/** The objects of a kind that a caller sees. */
export const allOf = (store: Store, kind: Kind, caller: Caller): Source => ({
  partitions: partitionsOf(kind, caller),
  isIn: () => true,
  total: () => countOf(store, kind, caller),
  isCounted: false,
});

/** Those that have a label. */
export function labelled(store: Store, kind: Kind, caller: Caller, label: Label): Source {
  const partitions = labelledPartitions(kind, caller, label);
  return {
    partitions,
    isIn: ({ metadata: { labels } }) => labels[label.key] === label.value,
    total: () => countIn(store, partitions),
    isCounted: true,
  };
}

/** The partitions with the objects of a kind that a caller sees, each in order of creation. */
export function partitionsOf(kind: Kind, caller: Caller): Partition[] {
  if (caller.everywhere) return [{ pk: kindPartition(kind), index: "g4" }];
  if (caller.projects && definitionOf(kind).inProjects) {
    const pk = inProjectPartition(kind, caller.tenant);
    return rangesOf(caller.projects.seen).map((range) => ({ pk, range, ids: true }));
  }
  return ownersOf(kind, caller).map((tenant) => ({
    pk: tenantPartition(kind, tenant),
    index: "g1",
  }));
}

/** The partitions with the entries of those of them that have a label. No object has a label that is none. */
export function labelledPartitions(kind: Kind, caller: Caller, label: Label): Partition[] {
  if (!isLabel(label)) return [];
  if (caller.everywhere) return [{ pk: labelKindPartition(kind, label), index: "g4", ids: true }];
  if (caller.projects && definitionOf(kind).inProjects) {
    const pk = labelPartition(kind, caller.tenant, label);
    return rangesOf(caller.projects.seen).map((range) => ({ pk, range, index: "g1", ids: true }));
  }
  return ownersOf(kind, caller).map((tenant) => ({
    pk: labelPartition(kind, tenant, label),
    ids: true,
  }));
}

/** Objects in a project itself come first, then those in projects below it. */
const rangesOf = (projects: readonly string[]): { prefix: string }[] =>
  projects.flatMap((path) => ["#", "."].map((end) => ({ prefix: path + end })));

/** The number of objects in partitions, counted one by one: up to `limit` of each. */
export async function countIn(
  store: Store,
  partitions: Partition[],
  limit?: number,
): Promise<number> {
  const most = limit === undefined ? {} : { limit };
  const counts = await Promise.all(partitions.map((each) => store.count({ ...each, ...most })));
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The number of objects, from the counters. */
export async function countOf(store: Store, kind: Kind, caller: Caller): Promise<number> {
  const keys = countersOf(kind, caller);
  const items = await store.getMany(keys);
  return items.reduce((sum, item) => sum + Number(item?.count ?? 0), 0);
}

function countersOf(kind: Kind, caller: Caller): Key[] {
  if (caller.everywhere) return totalKeys(kind);
  if (caller.projects && definitionOf(kind).inProjects)
    return caller.projects.seen.map((path) => projectCountKey(kind, caller.tenant, path));
  return ownersOf(kind, caller).map((tenant) => countKey(kind, tenant));
}

/** The objects of a page of a partition, in its order; undefined for an object that was just deleted. */
export async function objectsIn<K extends Kind>(
  store: Store,
  kind: K,
  { ids }: Partition,
  items: Item[],
): Promise<(ObjectOf[K] | undefined)[]> {
  const whole = ids
    ? await store.getMany(items.map(({ id }) => objectKey(kind, String(id))))
    : items;
  return whole.map((item) => item && objectIn<K>(kinds, item));
}

/** The tenants whose objects a caller sees who does not see all. */
export function ownersOf(kind: Kind, caller: Caller): string[] {
  return [...new Set(definitionOf(kind).shared ? [caller.tenant, sharedTenant] : [caller.tenant])];
}
