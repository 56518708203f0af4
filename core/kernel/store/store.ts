/**
 * The store port: one table of items under `pk` and `sk`, with conditional writes, transactions, queries by partition,
 * and a stream of changes. DynamoDB and SQLite adapt it; one contract suite (`test/core/kernel/store/contract.ts`)
 * checks that both behave the same. `keys.ts` and the files beside it define the keys.
 */

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

export interface Key {
  pk: string;
  sk: string;
}

/**
 * An item. `g1pk`/`g1sk` … `g4pk`/`g4sk` (both or neither) put it into an index; an item without
 * them is not in it. `expires` (epoch seconds) lets the store drop it some time later.
 */
export interface Item extends Key {
  [attribute: string]: Json;
}

export const indexes = ["g1", "g2", "g3", "g4"] as const;
export type Index = (typeof indexes)[number];

/** The condition on the stored item for a write to happen. It can name attributes, but nothing inside them. */
export type WriteCondition =
  | { test: "exists" }
  | { test: "absent" }
  | { test: "has"; attribute: string }
  | { test: "lacks"; attribute: string }
  | {
      test: "eq" | "ne" | "lt" | "le" | "gt" | "ge";
      attribute: string;
      value: string | number | boolean;
    }
  | { test: "all" | "any"; of: WriteCondition[] };

export const exists: WriteCondition = { test: "exists" };
export const absent: WriteCondition = { test: "absent" };
export const has = (attribute: string): WriteCondition => ({ test: "has", attribute });
export const lacks = (attribute: string): WriteCondition => ({ test: "lacks", attribute });
export const compare = (
  attribute: string,
  test: "eq" | "ne" | "lt" | "le" | "gt" | "ge",
  value: string | number | boolean,
): WriteCondition => ({ test, attribute, value });
export const eq = (attribute: string, value: string | number | boolean): WriteCondition =>
  compare(attribute, "eq", value);
export const all = (...of: WriteCondition[]): WriteCondition => ({ test: "all", of });
export const any = (...of: WriteCondition[]): WriteCondition => ({ test: "any", of });

export interface Put {
  put: Item;
  if?: WriteCondition;
}

/**
 * Changes attributes of an item; an absent item is created (guard with `exists` where that is wrong).
 * `add` adds to a number; an absent one counts as 0.
 */
export interface Update {
  update: Key;
  set?: Record<string, Json>;
  remove?: string[];
  add?: Record<string, number>;
  if?: WriteCondition;
}

export interface Delete {
  delete: Key;
  if?: WriteCondition;
}

/** A condition on an item that is not written. */
export interface Check {
  check: Key;
  if: WriteCondition;
}

export type Write = Put | Update | Delete | Check;

/**
 * The most items on a page of an index. The items are then read by key, and DynamoDB reads at most this many at once.
 */
export const indexPage = 100;

/** The limit of items on a page with keys only: about 1 MB of small items. */
export const keyPage = 4000;

/** Items that one transaction may name, each at most once (DynamoDB's limit). */
export const transactionLimit = 100;

export interface Query {
  pk: string;
  index?: Index;
  /** Inclusive bounds on the sort key of the table or, for a query of an index, of that index. */
  range?: { prefix: string } | { from?: string; to?: string };
  reverse?: boolean;
  /**
   * Answers only the keys of the items: in the table and, for a query of an index, in that index. An index then answers
   * without a read of the items, and its keys may be outdated.
   */
  only?: "keys";
  /**
   * The limit of items, at most `indexPage` for an index, and `keyPage` for its keys alone. A page may hold fewer and
   * still have a cursor.
   */
  limit?: number;
  cursor?: string;
}

export interface Page {
  items: Item[];
  /** Present when there may be more items; opaque. */
  cursor?: string;
}

/** The number of items of a query, as far as they were counted. */
export interface Counted {
  count: number;
  /** Present when the limit was reached: a query continues from here, after the counted items. */
  cursor?: string;
}

/**
 * One change. Records come in the order in which the changes were made. `before` is absent for a new
 * item, `after` for a deleted one.
 */
export interface StreamRecord {
  sequence: string;
  key: Key;
  before?: Item;
  after?: Item;
}

/**
 * Why a transaction was refused: one entry for each write, undefined where the write's own condition
 * held.
 */
export class TransactionRefused extends Error {
  readonly reasons: (Refusal | undefined)[];
  constructor(reasons: (Refusal | undefined)[]) {
    super("a condition of the transaction does not hold");
    this.name = "TransactionRefused";
    this.reasons = reasons;
  }
}

/** The condition that failed, with the stored item (absent if there is none). */
export interface Refusal {
  item?: Item;
}

export interface TransactOptions {
  /**
   * Real milliseconds after which no further try is sent, and `Unavailable` is thrown. The writes may still have been
   * made.
   */
  within?: number;
}

/** Items that were read or written are frozen, so a store may share one among all its readers. */
export interface Store {
  /** Reads an item, strongly consistent. */
  get(key: Key): Promise<Item | undefined>;
  /**
   * Reads any number of items, strongly consistent. Answers in the order of the keys, with undefined
   * for an absent item.
   */
  getMany(keys: Key[]): Promise<(Item | undefined)[]>;
  /**
   * Makes all writes or none. Throws TransactionRefused when a condition does not hold, `Unavailable`
   * when the store is busy or cannot be reached, `Internal` for a misuse (over 100 items, an item named
   * twice, an addition to a text). Retries by itself after a conflict with another writer.
   */
  transact(writes: Write[], options?: TransactOptions): Promise<void>;
  /**
   * Answers items in the order of the sort key (UTF-8 bytes). Strongly consistent on the table. An index may lag: items
   * that have moved within the index or left it since are omitted, and the others are answered in their present state.
   * A page without items is the end of the query.
   */
  query(query: Query): Promise<Page>;
  /**
   * Counts the items of a query without reading them, up to its limit, which may be any number. The count of an index
   * lags as the index does.
   */
  count(query: Query): Promise<Counted>;
}

declare module "../deps.ts" {
  interface Deps {
    store: Store;
  }
}
