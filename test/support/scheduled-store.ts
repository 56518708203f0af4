import type * as fc from "fast-check";
import type { Store } from "../../core/kernel/store/store.ts";

/** Has every later call of a store made in its caller's turn, by whoever has the store already. */
export function takeTurns(store: Store, turn: () => Promise<void>): void {
  const { get, getMany, query, count, transact } = store;
  const calls: Store = {
    get: (key) => get.call(store, key),
    getMany: (keys) => getMany.call(store, keys),
    query: (asked) => query.call(store, asked),
    count: (asked) => count.call(store, asked),
    transact: (writes) => transact.call(store, writes),
  };
  Object.assign(store, inTurn(calls, turn));
}

/** The store with every call made when the scheduler says so: those who use it meet in any order. */
export const scheduled = (store: Store, scheduler: fc.Scheduler): Store =>
  inTurn(store, (call) => scheduler.schedule(Promise.resolve(), call));

/** The store with every call made after the caller's turn has come. */
export function inTurn(store: Store, turn: (call: string) => Promise<void>): Store {
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
    count: async (query) => {
      await turn(`count ${query.pk}`);
      return store.count(query);
    },
    transact: async (writes) => {
      await turn("transact");
      return store.transact(writes);
    },
  };
}
