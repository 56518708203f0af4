import type { Key, Store } from "./store.ts";

/** The sum of `count` in these items; a missing item counts as 0. */
export async function sumOf(store: Pick<Store, "getMany">, counters: Key[]): Promise<number> {
  const items = await store.getMany(counters);
  return items.reduce((sum, item) => sum + Number(item?.count ?? 0), 0);
}
