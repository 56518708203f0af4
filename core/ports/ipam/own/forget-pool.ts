import { numbersKey, restingPartition } from "../../../kernel/object/number-keys.ts";
import { pagesIn } from "../../../kernel/store/pages.ts";
import { type Store, transactionLimit } from "../../../kernel/store/store.ts";

/**
 * Deletes a pool together with the object that it belongs to: its counters, and its resting numbers. Only for
 * a pool without holders and without further claims. Safe to repeat.
 */
export async function forgetPool(store: Store, pool: string): Promise<void> {
  const key = numbersKey(pool);
  // The counters go last: without them, nothing was ever claimed, or everything is deleted.
  if (!(await store.get(key))) return;
  const query = { pk: restingPartition(pool), limit: transactionLimit };
  for await (const items of pagesIn(store, query))
    if (items.length > 0) await store.transact(items.map(({ pk, sk }) => ({ delete: { pk, sk } })));
  await store.transact([{ delete: key }]);
}
