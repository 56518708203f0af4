import type { Store } from "../../core/kernel/store/store.ts";

/** Runs `once` just before the first transaction: somebody is faster. */
export function interrupted(store: Store, once: () => Promise<unknown>): Store {
  let done = false;
  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    async transact(writes) {
      if (!done) {
        done = true;
        await once();
      }
      return store.transact(writes);
    },
  };
}
