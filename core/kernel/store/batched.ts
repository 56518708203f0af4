import { checkKey } from "./check.ts";
import type { Item, Key, Store } from "./store.ts";

/** A read that is sent together with the other reads of one tick. */
interface Asked {
  key: Key;
  answer(item: Item | undefined): void;
  fail(error: unknown): void;
}

/** A store that combines the reads of one tick into one call. */
export function batched(store: Store): Store {
  let asked: Asked[] = [];
  const ask = async (): Promise<void> => {
    const together = asked;
    asked = [];
    try {
      const [only, ...others] = together;
      const items =
        only && others.length === 0
          ? [await store.get(only.key)]
          : await store.getMany(together.map(({ key }) => key));
      for (const [n, { answer }] of together.entries()) answer(items[n]);
    } catch (error) {
      for (const { fail } of together) fail(error);
    }
  };
  const get = (key: Key) =>
    new Promise<Item | undefined>((answer, fail) => {
      // Checked here, so that one malformed key does not fail the other reads.
      checkKey(key);
      asked.push({ key, answer, fail });
      // Sent only after all code that can run without waiting, so that its reads are included.
      if (asked.length === 1) process.nextTick(() => void ask());
    });
  return {
    get,
    getMany: (keys) => Promise.all(keys.map(get)),
    query: (query) => store.query(query),
    count: (query) => store.count(query),
    transact: (writes, options) => store.transact(writes, options),
  };
}
