import {
  countKey,
  inProjectPartition,
  kindPartition,
  objectKey,
  projectCountKey,
  tenantPartition,
  totalKeys,
} from "../../../core/kernel/object/keys.ts";
import { sharedTenant } from "../../../core/kernel/object/metadata.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import { objectIn } from "../../../core/kernel/object/records.ts";
import type { Caller } from "../../../core/kernel/request/caller.ts";
import type { Item, Key, Query, Store } from "../../../core/kernel/store/store.ts";
import { definitionOf, kinds } from "../registry.ts";

export type Partition = Pick<Query, "pk" | "index" | "range">;

/** The partitions with the objects of a kind that a caller sees, each in order of creation. */
export function partitionsOf(kind: Kind, caller: Caller): Partition[] {
  if (caller.everywhere) return [{ pk: kindPartition(kind), index: "g4" }];
  if (caller.projects && definitionOf(kind).inProjects) {
    const pk = inProjectPartition(kind, caller.tenant);
    // Objects in the project itself come first, then those in projects below it.
    return caller.projects.seen.flatMap((path) =>
      ["#", "."].map((end) => ({ pk, range: { prefix: path + end } })),
    );
  }
  return ownersOf(kind, caller).map((tenant) => ({
    pk: tenantPartition(kind, tenant),
    index: "g1",
  }));
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
  { index }: Partition,
  items: Item[],
): Promise<(ObjectOf[K] | undefined)[]> {
  const whole =
    index === undefined
      ? await store.getMany(items.map(({ id }) => objectKey(kind, String(id))))
      : items;
  return whole.map((item) => item && objectIn<K>(kinds, item));
}

/** The tenants whose objects a caller sees who does not see all. */
export function ownersOf(kind: Kind, caller: Caller): string[] {
  return [...new Set(definitionOf(kind).shared ? [caller.tenant, sharedTenant] : [caller.tenant])];
}
