import { canonicalJson } from "../input/canonical-json.ts";
import { keyId } from "./check.ts";
import type { Counted, Item, Key, Page, Query, Store, TransactOptions, Write } from "./store.ts";

/**
 * A store whose reads can begin early. An early read answers only the first request for the same key, query or count.
 * A second read, and a read after a write, go to the store again.
 */
export class ReadAhead implements Store {
  readonly #store: Store;
  readonly #begun = new Map<string, Promise<Item | undefined>>();
  readonly #queries = new Map<string, Promise<Page>>();
  readonly #counts = new Map<string, Promise<Counted>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Begins to read these keys, except keys whose read has begun already. With `after`, the reads begin when `after` has
   * ended, so that they are not older than it. Answers the items; undefined for an item that does not exist or could
   * not be read.
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

  /**
   * A store that begins the requested reads and never answers them. Code that runs on it only begins its first reads,
   * for a later run on the other store. It sees no data and writes none.
   */
  unanswering(): Store {
    return {
      get: (key) => unanswered(this.ahead([key])),
      getMany: (keys) => unanswered(this.ahead(keys)),
      query: (query) => unanswered(early(this.#queries, query, () => this.#store.query(query))),
      count: (query) => unanswered(early(this.#counts, query, () => this.#store.count(query))),
      transact: () => never(),
    };
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
    return taken(this.#queries, query) ?? this.#store.query(query);
  }

  count(query: Query): Promise<Counted> {
    return taken(this.#counts, query) ?? this.#store.count(query);
  }

  transact(writes: Write[], options?: TransactOptions): Promise<void> {
    this.#begun.clear();
    this.#queries.clear();
    this.#counts.clear();
    return this.#store.transact(writes, options);
  }
}

const never = <T>(): Promise<T> => new Promise(() => undefined);

function unanswered<T>(read: Promise<unknown>): Promise<T> {
  // A failed read throws for the caller that requests it, if any does.
  read.catch(() => undefined);
  return never();
}

/** Begins a read of this query, unless one has begun already. */
function early<T>(reads: Map<string, Promise<T>>, query: Query, read: () => Promise<T>) {
  const id = canonicalJson({ ...query });
  const known = reads.get(id) ?? read();
  reads.set(id, known);
  return known;
}

/** The early read of this query, which answers only once. */
function taken<T>(reads: Map<string, Promise<T>>, query: Query): Promise<T> | undefined {
  if (reads.size === 0) return undefined;
  const id = canonicalJson({ ...query });
  const known = reads.get(id);
  reads.delete(id);
  return known;
}
