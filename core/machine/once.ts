import type { Key, Store } from "../kernel/store/store.ts";

/**
 * Does what a deployment needs once in its life, before what depends on it, and marks that it is done. Work that is cut
 * off is done again by the next call, so it does nothing twice. Answers what the work has; undefined where it was done
 * before.
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
