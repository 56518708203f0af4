import { sharedTenant } from "../../../core/model/metadata.ts";
import type { Kind } from "../../../core/model/object.ts";
import { type Caller, sharedKinds } from "../../../core/order/caller.ts";
import { countKey, kindPartition, tenantPartition, totalKeys } from "../../../core/store/keys.ts";
import type { Query, Store } from "../../../core/store/store.ts";

/** Where the objects of a kind that somebody sees lie: in order of creation, one partition after the other. */
export function partitionsOf(kind: Kind, caller: Caller): Pick<Query, "pk" | "index">[] {
  if (caller.everywhere) return [{ pk: kindPartition(kind), index: "g4" }];
  return ownersOf(kind, caller).map((tenant) => ({
    pk: tenantPartition(kind, tenant),
    index: "g1",
  }));
}

/** How many there are, from the counters. */
export async function countOf(store: Store, kind: Kind, caller: Caller): Promise<number> {
  const keys = caller.everywhere
    ? totalKeys(kind)
    : ownersOf(kind, caller).map((tenant) => countKey(kind, tenant));
  const items = await store.getMany(keys);
  return items.reduce((sum, item) => sum + Number(item?.count ?? 0), 0);
}

/** Whose objects are seen by one who does not see everybody's. */
export function ownersOf(kind: Kind, caller: Caller): string[] {
  return [...new Set(sharedKinds.has(kind) ? [caller.tenant, sharedTenant] : [caller.tenant])];
}
