import { checkKey, keyId } from "./check.ts";
import type { Item, Key, Page, Query, Store, Write } from "./store.ts";

/** A read that goes out with the others of its moment. */
interface Asked {
  key: Key;
  answer(item: Item | undefined): void;
  fail(error: unknown): void;
}

/**
 * The store of one request, which waits for the table as seldom as it can: what is asked for in the same
 * moment is one call, and what will be asked for can be begun ahead. What was begun is the answer to
 * the first who asks for it and to nobody else: who asks again, or after a write, is told anew.
 */
export class RequestStore implements Store {
  readonly #store: Store;
  readonly #ahead = new Map<string, Promise<Item | undefined>>();
  #asked: Asked[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** Begins to read what will be asked for, as far as it has not begun. */
  ahead(keys: Key[]): void {
    for (const key of keys) {
      if (this.#ahead.has(keyId(key))) continue;
      const item = this.#read(key);
      // Whoever asks for it is told; nobody may.
      item.catch(() => undefined);
      this.#ahead.set(keyId(key), item);
    }
  }

  async get(key: Key): Promise<Item | undefined> {
    const id = keyId(key);
    const begun = this.#ahead.get(id);
    this.#ahead.delete(id);
    return begun ?? this.#read(key);
  }

  getMany(keys: Key[]): Promise<(Item | undefined)[]> {
    return Promise.all(keys.map((key) => this.get(key)));
  }

  query(query: Query): Promise<Page> {
    return this.#store.query(query);
  }

  transact(writes: Write[]): Promise<void> {
    this.#ahead.clear();
    return this.#store.transact(writes);
  }

  #read(key: Key): Promise<Item | undefined> {
    return new Promise((answer, fail) => {
      // One that no store could answer must not refuse the others.
      checkKey(key);
      this.#asked.push({ key, answer, fail });
      // Once all that goes on without waiting has gone on.
      if (this.#asked.length === 1) process.nextTick(() => void this.#ask());
    });
  }

  async #ask(): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    try {
      const [only, ...others] = asked;
      const items =
        only && others.length === 0
          ? [await this.#store.get(only.key)]
          : await this.#store.getMany(asked.map(({ key }) => key));
      for (const [n, { answer }] of asked.entries()) answer(items[n]);
    } catch (error) {
      for (const { fail } of asked) fail(error);
    }
  }
}
