import type { Store, Write } from "../../core/kernel/store/store.ts";

/** Runs `once` just before the first transaction, of those that are `meant`: somebody is faster. */
export function interrupted(
  store: Store,
  once: () => Promise<unknown>,
  meant: (writes: Write[]) => boolean = () => true,
): Store {
  let done = false;
  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    count: (query) => store.count(query),
    async transact(writes) {
      if (!done && meant(writes)) {
        done = true;
        await once();
      }
      return store.transact(writes);
    },
  };
}

/** Means the transactions that put an item of this partition. */
export const putting =
  (pk: string) =>
  (writes: Write[]): boolean =>
    writes.some((write) => "put" in write && write.put.pk === pk);
