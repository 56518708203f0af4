import type * as fc from "fast-check";
import type { Store } from "../../core/kernel/store/store.ts";

/** The store with every call made when the scheduler says so: those who use it meet in any order. */
export function scheduled(store: Store, scheduler: fc.Scheduler): Store {
  const turn = (what: string) => scheduler.schedule(Promise.resolve(), what);
  return {
    get: async (key) => {
      await turn(`get ${key.pk}`);
      return store.get(key);
    },
    getMany: async (keys) => {
      await turn("getMany");
      return store.getMany(keys);
    },
    query: async (query) => {
      await turn(`query ${query.pk}`);
      return store.query(query);
    },
    transact: async (writes) => {
      await turn("transact");
      return store.transact(writes);
    },
  };
}
