import type { Store } from "../../core/kernel/store/store.ts";

/** Calls of a store, and the items they read and wrote. */
export interface Calls {
  get: number;
  getMany: number;
  query: number;
  count: number;
  transact: number;
  read: number;
  /** Entries that were counted, or of which the keys alone were read. */
  counted: number;
  written: number;
}

export function counting(store: Store): { counted: Store; calls: Calls } {
  const calls: Calls = {
    ...{ get: 0, getMany: 0, query: 0, count: 0, transact: 0 },
    ...{ read: 0, counted: 0, written: 0 },
  };
  const counted: Store = {
    get(key) {
      calls.get++;
      calls.read++;
      return store.get(key);
    },
    getMany(keys) {
      calls.getMany++;
      calls.read += keys.length;
      return store.getMany(keys);
    },
    async query(query) {
      calls.query++;
      const page = await store.query(query);
      calls[query.only === "keys" ? "counted" : "read"] += page.items.length;
      return page;
    },
    async count(query) {
      calls.count++;
      const found = await store.count(query);
      calls.counted += found.count;
      return found;
    },
    transact(writes) {
      calls.transact++;
      calls.written += writes.length;
      return store.transact(writes);
    },
  };
  return { counted, calls };
}
