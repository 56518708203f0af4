import type { Key, Store } from "../kernel/store/store.ts";

/**
 * Does work that a deployment needs only once, and marks it as done. Interrupted work is repeated by the next
 * call, so it must be safe to repeat. Answers the result; undefined if the work was done before.
 */
export async function once<T>(
  store: Store,
  mark: Key,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (await store.get(mark)) return undefined;
  const result = await work();
  await store.transact([{ put: { ...mark } }]);
  return result;
}
