import { AppError } from "../../error.ts";
import { keyOf } from "./check.ts";
import type { Index, Key, Query, Store, Write } from "./store.ts";

/** Uses of items: reads by key, by keys in one call, and by partition; and each sort of write. */
export const readingUses = ["get", "getMany", "query"] as const;
export const writingUses = ["put", "update", "delete", "check"] as const;
export type ReadingUse = (typeof readingUses)[number];
export type WritingUse = (typeof writingUses)[number];
export type StoreUse = ReadingUse | WritingUse;

/** A use of an item, or of an index; an index only lists the keys of items. */
export type UsedItems = { use: StoreUse; pk: string } | { index: Index };

/**
 * A store that is limited to some rights: `refuse` throws for every other use, before the store is called. A
 * transaction needs the rights of each of its writes.
 */
export function withinStoreRights(store: Store, refuse: (used: UsedItems) => void): Store {
  const reads = (use: "get" | "getMany", keys: Key[]) => {
    for (const { pk } of keys) refuse({ use, pk });
  };
  const lists = ({ index, pk }: Query) => refuse(index ? { index } : { use: "query", pk });
  return {
    async get(key) {
      reads("get", [key]);
      return store.get(key);
    },
    async getMany(keys) {
      reads("getMany", keys);
      return store.getMany(keys);
    },
    async query(query) {
      lists(query);
      const page = await store.query(query);
      // The items behind the entries of an index are read by their keys.
      if (query.index && query.only !== "keys") reads("getMany", page.items);
      return page;
    },
    async count(query) {
      lists(query);
      return store.count(query);
    },
    async transact(writes, options) {
      for (const write of writes) refuse({ use: useOf(write), pk: keyOf(write).pk });
      return store.transact(writes, options);
    },
  };
}

function useOf(write: Write): StoreUse {
  if ("put" in write) return "put";
  if ("update" in write) return "update";
  return "delete" in write ? "delete" : "check";
}

/** Whether a partition matches a pattern: a full name, or a prefix with a `*` at its end. */
export const isOfPattern = (pk: string, pattern: string): boolean =>
  pattern.endsWith("*") ? pk.startsWith(pattern.slice(0, -1)) : pk === pattern;

/** Throws Internal, as for every misuse of the store. */
export function refuseUse(used: UsedItems): never {
  const what = "index" in used ? `list the index ${used.index}` : `${used.use} '${used.pk}'`;
  throw new AppError("Internal", "internal error", { detail: `no right to ${what}` });
}
