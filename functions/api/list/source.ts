import {
  countKey,
  inProjectPartition,
  kindPartition,
  labelKeyPartition,
  labelKindPartition,
  labelPartition,
  objectKey,
  projectCountKey,
  tenantPartition,
  totalKeys,
} from "../../../core/kernel/object/keys.ts";
import { isLabel, sharedTenant } from "../../../core/kernel/object/metadata.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import { objectIn } from "../../../core/kernel/object/records.ts";
import { type Caller, sees } from "../../../core/kernel/request/caller.ts";
import { sumOf } from "../../../core/kernel/store/counters.ts";
import { cursorAt } from "../../../core/kernel/store/cursor.ts";
import type { Counted, Item, Key, Page, Query, Store } from "../../../core/kernel/store/store.ts";
import { definitionOf, kinds } from "../registry.ts";
import type { LabelTest } from "./labels.ts";
import type { Test } from "./required.ts";

/** A part of a list, in order of creation. */
export interface Partition extends Pick<Query, "pk" | "index" | "range"> {
  /** The items are entries with the ids of the objects, instead of the objects. */
  ids?: true;
}

/** A part of a list, in order of creation, from any source. */
export interface Part {
  read(limit: number, cursor?: string): Promise<Page>;
  /** Counts the items of the part, up to a limit. */
  count(limit?: number): Promise<Counted>;
  /** The cursor after an item. */
  behind(item: Item): string;
  /** The items are entries with the ids of the objects, instead of the objects. */
  ids?: true | undefined;
}

/** Parts of a list, with the filter's tests that all their objects pass. */
export interface Narrowed {
  parts: Part[];
  used: ReadonlySet<Test[]>;
  /**
   * A further check on each object that was read, because its index entry may be older or newer
   * than the object.
   */
  has?(object: ObjectOf[Kind]): boolean;
}

/** What a list is read from. */
export interface Source {
  parts: Part[];
  /**
   * Whether an object that was read belongs to the list and is visible to the caller. Since the
   * index entry was read, another tenant may have got an object with this id.
   */
  isIn(object: ObjectOf[Kind]): boolean;
  total(): Promise<number>;
  /** Whether the total is counted one by one: then only the first page counts, and page tokens pass the total on. */
  isCounted: boolean;
  /** The merged lists of labels (`labelled.ts`), which page tokens also pass on. */
  merged?: number[] | undefined;
}

/** The objects of a kind that a caller sees. */
export const allOf = (store: Store, kind: Kind, caller: Caller): Source => ({
  parts: partitionsOf(kind, caller).map((each) => stored(store, each)),
  isIn: (object) => sees(kinds, caller, object),
  total: () => countOf(store, kind, caller),
  isCounted: false,
});

/** A partition of the store as a part of a list. */
export const stored = (store: Store, partition: Partition): Part => ({
  read: (limit, cursor) =>
    store.query({ ...partition, limit, ...(cursor === undefined ? {} : { cursor }) }),
  count: (limit) => store.count({ ...partition, ...(limit === undefined ? {} : { limit }) }),
  behind: (item) => cursorAt(item, partition.index),
  ids: partition.ids,
});

/** A part whose items name objects otherwise than by id; items that name none are omitted. */
export const naming = (part: Part, idOf: (item: Item) => string | undefined): Part => ({
  ...part,
  ids: true,
  async read(limit, cursor) {
    const page = await part.read(limit, cursor);
    const items = page.items.flatMap((item) => {
      const id = idOf(item);
      return id === undefined ? [] : [{ ...item, id }];
    });
    return { ...page, items };
  },
});

/** The partitions with the objects of a kind that a caller sees, each in order of creation. */
function partitionsOf(kind: Kind, caller: Caller): Partition[] {
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

/**
 * For each partition of `partitionsOf`, the partition with the entries of a label; none for an invalid label, which
 * no object can have.
 */
export function labelledPartitions(kind: Kind, caller: Caller, test: LabelTest): Partition[] {
  const { key, value } = test;
  const label = { key, value: value ?? "" };
  if (!isLabel(label)) return [];
  const ids = true;
  if (caller.everywhere) return [{ pk: labelKindPartition(kind, label), index: "g4", ids }];
  const pkIn = (tenant: string) =>
    value === undefined
      ? labelKeyPartition(kind, tenant, key)
      : labelPartition(kind, tenant, label);
  if (caller.projects && definitionOf(kind).inProjects) {
    const [pk, index] = [pkIn(caller.tenant), value === undefined ? "g3" : "g1"] as const;
    return rangesOf(caller.projects.seen).map((range) => ({ pk, range, index, ids }));
  }
  return ownersOf(kind, caller).map((tenant) => ({
    pk: pkIn(tenant),
    ...(value === undefined ? { index: "g2" } : {}),
    ids,
  }));
}

/** The objects of each project, then those of the projects below it. */
const rangesOf = (projects: readonly string[]): { prefix: string }[] =>
  projects.flatMap((path) => ["#", "."].map((end) => ({ prefix: path + end })));

/** The number of objects in parts, counted one by one: up to `limit` of each. */
export async function countIn(parts: Pick<Part, "count">[], limit?: number): Promise<number> {
  const counts = await Promise.all(parts.map((part) => part.count(limit)));
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The number of objects, from the counters. */
export const countOf = (store: Store, kind: Kind, caller: Caller): Promise<number> =>
  sumOf(store, countersOf(kind, caller));

function countersOf(kind: Kind, caller: Caller): Key[] {
  if (caller.everywhere) return totalKeys(kind);
  if (caller.projects && definitionOf(kind).inProjects)
    return caller.projects.seen.map((path) => projectCountKey(kind, caller.tenant, path));
  return ownersOf(kind, caller).map((tenant) => countKey(kind, tenant));
}

/** The objects of a page of a partition, in its order; undefined for an object that was just deleted. */
export async function objectsInSource<K extends Kind>(
  store: Store,
  kind: K,
  { ids }: Pick<Part, "ids">,
  items: Item[],
): Promise<(ObjectOf[K] | undefined)[]> {
  const whole = ids
    ? await store.getMany(items.map(({ id }) => objectKey(kind, String(id))))
    : items;
  return whole.map((item) => item && objectIn<K>(kinds, item));
}

/** The tenants whose objects a caller sees, for a caller who does not see all. */
export function ownersOf(kind: Kind, caller: Caller): string[] {
  return [...new Set(definitionOf(kind).shared ? [caller.tenant, sharedTenant] : [caller.tenant])];
}
