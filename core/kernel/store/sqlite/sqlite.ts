import type { DatabaseSync } from "node:sqlite";
import { changesOf, type StoreChange, type Stored } from "../change.ts";
import {
  checkKey,
  checkQuery,
  checkWrites,
  indexKey,
  isEmptyRange,
  isStillAt,
  keyOf,
} from "../check.ts";
import { cursorAt, decodeCursor, type Position } from "../cursor.ts";
import { IndexLag } from "../index-lag.ts";
import { limitedToPage, pageOf } from "../page.ts";
import {
  type Counted,
  type Index,
  type Item,
  indexPage,
  type Key,
  type Page,
  type Query,
  type Store,
  type StreamRecord,
  type Write,
} from "../store.ts";
import { EmptyPartitions } from "./empty-partitions.ts";
import { KnownItems } from "./known.ts";
import { othersWrite } from "./others.ts";
import { beginningWith, keysIn, type Select, selectCount, selectKeys } from "./query.ts";
import { type IsWanted, Stream } from "./stream.ts";
import { openDatabase, type Prepared, statements } from "./tables.ts";
import { transaction, written } from "./transaction.ts";
import { writeItem } from "./write.ts";

interface SqliteOptions {
  /** For tests: index queries show the state of this many writes ago, until `catchUp`. */
  indexLag?: number;
  /** For tests: each batch of the stream repeats this many earlier records at its start. */
  repeatStream?: number;
}

/** Opens the store in a file, which is created if it does not exist, or in memory with `:memory:`. */
export function openSqliteStore(path: string, options: SqliteOptions = {}): SqliteStore {
  return new SqliteStore(openDatabase(path), options);
}

interface Applied extends StoreChange {
  sequence: number;
}

const sweepBatch = 100;

/** The store of local mode and tests. Its own methods are synchronous and durable when they return. */
export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #statement: Prepared;
  readonly #lag: IndexLag | undefined;
  readonly #empty: EmptyPartitions;
  readonly #known: KnownItems;
  readonly #stream: Stream;

  /** `database` has its tables already. */
  constructor(database: DatabaseSync, { indexLag = 0, repeatStream = 0 }: SqliteOptions = {}) {
    this.#database = database;
    this.#statement = statements(database);
    this.#stream = new Stream(this.#statement, repeatStream);
    this.#empty = new EmptyPartitions(database);
    this.#known = new KnownItems(othersWrite(database));
    this.#lag = indexLag > 0 ? new IndexLag(indexLag) : undefined;
  }

  async get(key: Key): Promise<Item | undefined> {
    checkKey(key);
    return this.#read(key)?.item;
  }

  async getMany(keys: Key[]): Promise<(Item | undefined)[]> {
    keys.forEach(checkKey);
    return keys.map((key) => this.#read(key)?.item);
  }

  async transact(writes: Write[]): Promise<void> {
    checkWrites(writes);
    if (writes.length === 0) return;
    const changes = transaction(this.#database, this.#statement, () => {
      const stored = writes.map((write) => this.#read(keyOf(write)));
      return changesOf(writes, stored).map((change) => this.#apply(change));
    });
    changes.forEach(this.#keep);
  }

  async query(asked: Query): Promise<Page> {
    checkQuery(asked);
    const start = asked.cursor === undefined ? undefined : decodeCursor(asked.cursor, asked);
    if (isEmptyRange(asked)) return { items: [] };
    const query = limitedToPage(asked);
    const { pk, index } = query;
    if (!index || !this.#lag) {
      if (index && this.#empty.has(index, pk)) return { items: [] };
      const rows =
        query.only === "keys"
          ? this.#keys(query, start)
          : this.#select(selectKeys(query, start), query.limit);
      const page = pageOf(rows, query);
      if (index && page.items.length === 0) this.#empty.note(index, pk);
      return page;
    }
    const then = this.#lagging(this.#lag, { ...query, index }, start);
    if (query.only === "keys")
      return pageOf(
        then.map((item) => keysOf(item, index)),
        query,
      );
    const found = then.flatMap((entry) => {
      const is = this.#read(entry);
      return isStillAt(is?.item, entry, index) && is ? [is] : [];
    });
    return pageOf(found, query);
  }

  async count(query: Query): Promise<Counted> {
    checkQuery(query);
    const start = query.cursor === undefined ? undefined : decodeCursor(query.cursor, query);
    if (isEmptyRange(query)) return { count: 0 };
    const { index, limit } = query;
    if (index && this.#lag) {
      const then = this.#lagging(this.#lag, { ...query, index }, start);
      const last = limit === undefined ? undefined : then[limit - 1];
      return last ? { count: limit ?? 0, cursor: cursorAt(last, index) } : { count: then.length };
    }
    if (limit !== undefined) {
      const last = this.#row(selectKeys({ ...query, limit: 1 }, start, limit - 1));
      if (last) return { count: limit, cursor: cursorAt(keysIn(query, last), index) };
    }
    return { count: Number(this.#row(selectCount(query, start))?.count) };
  }

  /** New records of the stream, as `Stream.read` answers them. */
  stream(after: string | undefined, limit: number, isWanted?: IsWanted): StreamRecord[] {
    return this.#stream.read(after, limit, isWanted);
  }

  /** Whether the stream has a record after this sequence. */
  hasNews(after: string | undefined): boolean {
    return this.#stream.hasNews(after);
  }

  /** Drops the records of the stream before this sequence; the record of the sequence itself stays. */
  trimStream(before: string): void {
    written(() => this.#stream.trim(before));
  }

  /** Calls `listener` soon after new records are in the stream, as `Stream.onChange` does. */
  onChange(listener: () => void): () => void {
    return this.#stream.onChange(listener);
  }

  /** Deletes the items whose `expires` is not after `nowSeconds`; returns how many. */
  sweepExpired(nowSeconds: number): number {
    const sql = "SELECT pk, sk FROM item WHERE expires <= ? ORDER BY expires LIMIT ?";
    let swept = 0;
    for (;;) {
      const changes = transaction(this.#database, this.#statement, () => {
        const expired = [...this.#select([sql, [nowSeconds, sweepBatch]], sweepBatch)];
        return expired.map((before) => {
          const { pk, sk } = before.item;
          return this.#apply({ key: { pk, sk }, before, after: undefined });
        });
      });
      changes.forEach(this.#keep);
      swept += changes.length;
      if (changes.length < sweepBatch) return swept;
    }
  }

  /** A small durable value outside of the items, such as a reader's position in the stream. */
  setting(name: string): string | undefined {
    const row = this.#statement("SELECT value FROM setting WHERE name = ?").get(name);
    return row && String(row.value);
  }

  setSetting(name: string, value: string): void {
    const sql = "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)";
    written(() => this.#statement(sql).run(name, value));
  }

  /** For tests: all items, or those in partitions with this prefix, in the order of the keys. */
  items(prefix = ""): Item[] {
    const sql = "SELECT pk, sk FROM item WHERE pk >= ? AND pk < CAST(? AS TEXT) ORDER BY pk, sk";
    const { from, below } = beginningWith(prefix);
    return Array.from(this.#select([sql, [from, below]]), ({ item }) => item);
  }

  /** With `indexLag`: brings the indexes up to date. */
  catchUp(): void {
    this.#lag?.catchUp();
  }

  close(): void {
    this.#stream.close();
    this.#database.close();
  }

  #read(key: Key): Stored | undefined {
    const known = this.#known.get(key);
    if (known) return known;
    const read = this.#stored(key);
    if (read) this.#known.set(key, read);
    return read;
  }

  #stored({ pk, sk }: Key): Stored | undefined {
    const sql = "SELECT value, size FROM item WHERE pk = ? AND sk = ?";
    const row = this.#statement(sql).get(pk, sk);
    if (!row) return undefined;
    const value = String(row.value);
    return { item: JSON.parse(value), value, size: Number(row.size) };
  }

  /** The answer of a lagging index to a query. */
  #lagging(lag: IndexLag, query: Query & { index: Index }, start: Position | undefined): Item[] {
    const now = this.#select(selectKeys({ pk: query.pk, index: query.index }, undefined));
    return lag.view(
      query,
      Array.from(now, ({ item }) => item),
      start,
    );
  }

  /** The keys of items, which do not count in the size of a page. */
  #keys(query: Query, start: Position | undefined): { item: Item; size: number }[] {
    const [sql, values] = selectKeys(query, start);
    const rows = this.#statement(sql).all(...values);
    return rows.map((row) => ({ item: keysIn(query, row), size: 0 }));
  }

  #row([sql, values]: Select): Record<string, unknown> | undefined {
    return this.#statement(sql).get(...values);
  }

  /**
   * The items of these keys. `limit` is the most rows: a few are read at once, which is faster; many are read one by
   * one, since the caller may stop early.
   */
  *#select([sql, values]: Select, limit = Number.POSITIVE_INFINITY): Generator<Stored> {
    const statement = this.#statement(sql);
    const rows = limit <= indexPage ? statement.all(...values) : statement.iterate(...values);
    for (const row of rows) {
      const key = { pk: String(row.pk), sk: String(row.sk) };
      // Items that only lists read are not cached, because they would displace items that are read repeatedly.
      const found = this.#known.get(key) ?? this.#stored(key);
      if (found) yield found;
    }
  }

  /** Stores a change with its index entries and its record in the stream; answers it with the record's sequence. */
  #apply(change: StoreChange): Applied {
    writeItem(this.#statement, change, this.#empty);
    const sequence = this.#stream.append(change);
    this.#lag?.record({ key: change.key, before: change.before?.item });
    return { ...change, sequence };
  }

  /** Caches the items of a committed transaction, because they are read next. */
  readonly #keep = (applied: Applied): void => {
    this.#known.set(applied.key, applied.after);
    this.#stream.keep(applied.sequence, applied);
  };
}

/** An item of an index without its other attributes. */
const keysOf = (item: Item, index: Index): { item: Item; size: number } => {
  const { pk, sk } = item;
  const at = indexKey(item, index);
  return { item: { pk, sk, [`${index}pk`]: at?.pk ?? "", [`${index}sk`]: at?.sk ?? "" }, size: 0 };
};
