import { keyId } from "./check.ts";
import type { Item, Key, Page, Query, Store, Write } from "./store.ts";

/**
 * A store whose reads can begin before they are asked for. What was begun is the answer to the first read
 * of it and to no other: a second read, and a read after a write, asks the store again.
 */
export class ReadAhead implements Store {
  readonly #store: Store;
  readonly #begun = new Map<string, Promise<Item | undefined>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Begins to read what will be asked for, as far as it has not begun; what must not be older than other
   * reads, after these. Answers what was read; what could not be read is undefined like what is not there.
   */
  async ahead(keys: Key[], after?: Promise<unknown>): Promise<(Item | undefined)[]> {
    const items = keys.map((key) => {
      const begun = this.#begun.get(keyId(key));
      if (begun) return begun;
      const item = after ? after.then(() => this.#store.get(key)) : this.#store.get(key);
      this.#begun.set(keyId(key), item);
      return item;
    });
    // Whoever asks for one is told what went wrong; perhaps nobody does.
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

  transact(writes: Write[]): Promise<void> {
    this.#begun.clear();
    return this.#store.transact(writes);
  }
}
