import type { Key, Store } from "../kernel/store/store.ts";

/**
 * Does work that a deployment needs once, before what depends on it, and marks it as done. The next call
 * repeats work that was cut off, so the work must be safe to repeat. Answers the result of the work;
 * undefined if it was done before.
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
