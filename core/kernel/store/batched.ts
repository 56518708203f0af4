import { checkKey } from "./check.ts";
import type { Item, Key, Store } from "./store.ts";

/** A read that goes out with the others of its moment. */
interface Asked {
  key: Key;
  answer(item: Item | undefined): void;
  fail(error: unknown): void;
}

/** A store that asks in one call for what is asked for in the same moment. */
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
      // One that no store could answer must not refuse the others.
      checkKey(key);
      asked.push({ key, answer, fail });
      // Once all that goes on without waiting has gone on.
      if (asked.length === 1) process.nextTick(() => void ask());
    });
  return {
    get,
    getMany: (keys) => Promise.all(keys.map(get)),
    query: (query) => store.query(query),
    transact: (writes) => store.transact(writes),
  };
}
