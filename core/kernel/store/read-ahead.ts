import { keyId } from "./check.ts";
import type { Counted, Item, Key, Page, Query, Store, TransactOptions, Write } from "./store.ts";

/**
 * A store whose reads can begin early. An early read answers only the first request for its key. A second read, and a
 * read after a write, go to the store again.
 */
export class ReadAhead implements Store {
  readonly #store: Store;
  readonly #begun = new Map<string, Promise<Item | undefined>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Begins to read these keys, except those that have begun already. With `after`, the reads begin when `after` has
   * ended, so that they are not older than it. Answers the items; undefined for an item that could not be read, as for
   * one that does not exist.
   */
  async ahead(keys: Key[], after?: Promise<unknown>): Promise<(Item | undefined)[]> {
    const items = keys.map((key) => {
      const begun = this.#begun.get(keyId(key));
      if (begun) return begun;
      const item = after ? after.then(() => this.#store.get(key)) : this.#store.get(key);
      this.#begun.set(keyId(key), item);
      return item;
    });
    // A failed read throws only for the caller that requests its item.
    const read = await Promise.allSettled(items);
    return read.map((each) => (each.status === "fulfilled" ? each.value : undefined));
  }

  async get(key: Key): Promise<Item | undefined> {
    const id = keyId(key);
    const begun = this.#begun.get(id);
    this.#begun.delete(id);
    return begun ?? this.#store.get(key);
  }

  async getMany(keys: Key[]): Promise<(Item | undefined)[]> {
    const isBegun = keys.some((key) => this.#begun.has(keyId(key)));
    return isBegun ? Promise.all(keys.map((key) => this.get(key))) : this.#store.getMany(keys);
  }

  query(query: Query): Promise<Page> {
    return this.#store.query(query);
  }

  count(query: Query): Promise<Counted> {
    return this.#store.count(query);
  }

  transact(writes: Write[], options?: TransactOptions): Promise<void> {
    this.#begun.clear();
    return this.#store.transact(writes, options);
  }
}
