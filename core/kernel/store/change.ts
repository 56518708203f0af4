import { plain } from "../../plain.ts";
import { checkSize, keyOf } from "./check.ts";
import { holds } from "./condition.ts";
import { misuse } from "./misuse.ts";
import { storedSize } from "./packed/packed.ts";
import { transactionSizeLimit } from "./size.ts";
import { type Item, type Key, type Refusal, TransactionRefused, type Write } from "./store.ts";
import { updated } from "./update.ts";

/** An item with its JSON, and its size as DynamoDB counts it before it is packed. */
export interface Stored {
  item: Item;
  value: string;
  size: number;
}

/** The item before and after a write; undefined where there is none. */
export interface StoreChange {
  key: Key;
  before: Stored | undefined;
  after: Stored | undefined;
}

/**
 * The changes of a transaction, given the stored item of each write. A write that does not change its item has none.
 * Throws TransactionRefused, or Internal for a transaction that no store can make.
 */
export function changesOf(writes: Write[], stored: (Stored | undefined)[]): StoreChange[] {
  const reasons = writes.map((write, n) => refusal(write, stored[n]?.item));
  if (reasons.some((reason) => reason)) throw new TransactionRefused(reasons);

  const changes = writes.map((write, n) => {
    const { pk, sk } = keyOf(write);
    return { key: { pk, sk }, before: stored[n], after: result(write, stored[n]) };
  });
  if (writes.length > 1)
    checkTransaction(changes.flatMap(({ before, after }) => after ?? before ?? []));
  return changes.filter(({ before, after }) => before?.value !== after?.value);
}

function refusal(write: Write, item: Item | undefined): Refusal | undefined {
  if (!write.if || holds(write.if, item)) return undefined;
  return item ? { item } : {};
}

function result(write: Write, before: Stored | undefined): Stored | undefined {
  if ("put" in write) return storedAs(write.put);
  if ("update" in write) return storedAs(updated(before?.item, write));
  return "check" in write ? before : undefined;
}

/** Packing takes time, so the packed size is computed only for items that are too large unpacked. */
function checkTransaction(items: Stored[]): void {
  if (total(items, ({ size }) => size) <= transactionSizeLimit) return;
  const size = total(items, ({ item }) => storedSize(item));
  if (size > transactionSizeLimit) throw misuse(`a transaction of ${size} bytes`);
}

const total = (items: Stored[], sizeOf: (stored: Stored) => number): number =>
  items.reduce((sum, stored) => sum + sizeOf(stored), 0);

/** The item is a copy, because the writer may change its own item afterwards. */
export function storedAs(item: Item): Stored {
  return { item: plain(item), value: JSON.stringify(item), size: checkSize(item) };
}
