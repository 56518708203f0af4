import { numbersKey, restingPartition } from "../../../kernel/object/number-keys.ts";
import { pagesIn } from "../../../kernel/store/pages.ts";
import { type Store, transactionLimit } from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";

/** Deletes the numbers of a former pool that nobody uses. Safe to repeat. */
export async function forgetNumbers(
  store: Store,
  { name }: Pick<NumberPool, "name">,
): Promise<void> {
  for await (const items of pagesIn(store, { pk: restingPartition(name), limit: transactionLimit }))
    if (items.length > 0) await store.transact(items.map(({ pk, sk }) => ({ delete: { pk, sk } })));
  await store.transact([{ delete: numbersKey(name) }]);
}
