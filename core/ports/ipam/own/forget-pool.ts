import { numbersKey, restingPartition } from "../../../kernel/object/number-keys.ts";
import { pagesIn } from "../../../kernel/store/pages.ts";
import { type Store, transactionLimit } from "../../../kernel/store/store.ts";

/**
 * Forgets a pool that goes with the object that it belongs to: its counters, and its numbers at rest. Only for one
 * whose numbers nobody holds, and that nobody can claim from any more. Harmless when repeated.
 */
export async function forgetPool(store: Store, pool: string): Promise<void> {
  const key = numbersKey(pool);
  // The counters go last: without them nothing was ever claimed, or all is forgotten.
  if (!(await store.get(key))) return;
  const query = { pk: restingPartition(pool), limit: transactionLimit };
  for await (const items of pagesIn(store, query))
    if (items.length > 0) await store.transact(items.map(({ pk, sk }) => ({ delete: { pk, sk } })));
  await store.transact([{ delete: key }]);
}
