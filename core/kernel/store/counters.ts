import type { Key, Store } from "./store.ts";

/** The sum of counters: of `count` in each of these items; one that is not there counts nothing. */
export async function sumOf(store: Pick<Store, "getMany">, counters: Key[]): Promise<number> {
  const items = await store.getMany(counters);
  return items.reduce((sum, item) => sum + Number(item?.count ?? 0), 0);
}
