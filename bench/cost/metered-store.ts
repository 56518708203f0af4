import { indexKey, keyOf } from "../../core/kernel/store/check.ts";
import { storedSize } from "../../core/kernel/store/packed/packed.ts";
import { SqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { openDatabase } from "../../core/kernel/store/sqlite/tables.ts";
import {
  type Counted,
  type Item,
  indexes,
  type Key,
  type Page,
  type Query,
  type Write,
} from "../../core/kernel/store/store.ts";
import type { Meter } from "./meter.ts";
import { tokenBytes } from "./prices.ts";

/**
 * The store in memory, with DynamoDB's charges: each written item in units of 1 KB of the larger of its old and new
 * size, doubled in a transaction; each index entry that is added or removed, and both when it moves (an index has keys
 * only); each read item in units of 4 KB. A refused write is charged like a successful one, and a condition on an item
 * that is not written like a write of it, which may be more than AWS charges.
 */
export class MeteredStore extends SqliteStore {
  readonly #meter: Meter;

  constructor(meter: Meter, database = openDatabase(":memory:")) {
    super(database, {});
    this.#meter = meter;
  }

  /** The listener is the relay, which reads the stream. */
  override onChange(listener: () => void): () => void {
    return super.onChange(() => this.#meter.within("relay", listener));
  }

  override async get(key: Key): Promise<Item | undefined> {
    const item = await super.get(key);
    this.#meter.add("storeCalls", 1, "GetItem");
    this.#read([item]);
    return item;
  }

  override async getMany(keys: Key[]): Promise<(Item | undefined)[]> {
    const items = await super.getMany(keys);
    this.#meter.add("storeCalls", Math.ceil(keys.length / 100), "BatchGetItem");
    this.#read(items);
    return items;
  }

  override async query(query: Query): Promise<Page> {
    const page = await super.query(query);
    if (query.only === "keys") {
      this.#keys(query, page.items.length);
      return page;
    }
    this.#meter.add("storeCalls", 1, "Query");
    const size = page.items.reduce((sum, item) => sum + sizeOf(item), 0);
    const units = Math.max(1, Math.ceil(size / 4096));
    if (query.index === undefined) {
      this.#meter.add("readUnits", units);
      this.#meter.note("itemsRead", page.items.length);
      return page;
    }
    // The index is read eventually consistent, at half the price; then the items are read by their keys.
    this.#meter.add("readUnits", Math.max(1, Math.ceil(page.items.length / keysInUnit)) / 2);
    if (page.items.length > 0) this.#meter.add("storeCalls", 1, "BatchGetItem");
    this.#read(page.items);
    return page;
  }

  override async count(query: Query): Promise<Counted> {
    const found = await super.count(query);
    this.#keys(query, found.count);
    return found;
  }

  /** Not in the port: no code for requests or orders may read the whole table. */
  override items(prefix?: string): Item[] {
    this.#meter.add("storeCalls", 1, "Scan");
    return super.items(prefix);
  }

  override async transact(writes: Write[]): Promise<void> {
    const keys = writes.map(keyOf);
    // The reads and the write are synchronous, since the store is in this process.
    const before = super.getMany(keys);
    const done = super.transact(writes);
    const after = super.getMany(keys);
    try {
      await done;
    } finally {
      const [was, is] = [await before, await after];
      const alone = aloneAs(writes);
      this.#meter.add("storeCalls", 1, alone ?? "TransactWriteItems");
      this.#meter.note("itemsWritten", writes.length);
      for (const n of writes.keys()) this.#written(was[n], is[n], alone ? 1 : 2);
    }
  }

  /** Reads without counting. */
  peek(query: Query): Promise<Page> {
    return super.query(query);
  }

  /** A query that counts or reads keys only. */
  #keys({ index }: Query, count: number): void {
    this.#meter.add("storeCalls", 1, "Query");
    this.#meter.note("keysCounted", count);
    const units = Math.max(1, Math.ceil(count / keysInUnit));
    this.#meter.add("readUnits", index === undefined ? units : units / 2);
  }

  #read(items: (Item | undefined)[]): void {
    this.#meter.note("itemsRead", items.length);
    for (const item of items) this.#meter.add("readUnits", readUnits(item));
  }

  #written(was: Item | undefined, is: Item | undefined, times: number): void {
    const units = Math.max(1, writeUnits(was), writeUnits(is));
    this.#meter.add("tableWriteUnits", times * units);
    for (const index of indexes) {
      const [from, to] = [was && indexKey(was, index), is && indexKey(is, index)];
      const moved = from?.pk !== to?.pk || from?.sk !== to?.sk;
      if (moved) this.#meter.add("indexWriteUnits", (from ? 1 : 0) + (to ? 1 : 0));
    }
  }
}

/** About so many index entries have 4 KB. */
const keysInUnit = 16;

/** The operation for a single write. A single `add` uses a transaction, as in the adapter. */
function aloneAs([write, ...more]: Write[]) {
  if (!write || more.length > 0 || "check" in write) return undefined;
  if ("put" in write) return "PutItem";
  if ("delete" in write) return "DeleteItem";
  return Object.keys(write.add ?? {}).length > 0 ? undefined : "UpdateItem";
}

const writeUnits = (item: Item | undefined): number => (item ? Math.ceil(sizeOf(item) / 1024) : 0);

const readUnits = (item: Item | undefined): number => (item ? Math.ceil(sizeOf(item) / 4096) : 1);

/** An item's size as DynamoDB computes it, with task tokens of AWS's length. */
function sizeOf(item: Item): number {
  const size = storedSize(item);
  const { pk, token } = item;
  if (!pk.startsWith("token#") || typeof token !== "string") return size;
  return size + Math.max(0, tokenBytes - token.length);
}
