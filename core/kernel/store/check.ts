/**
 * Checks of requests that both adapters make before they call their database, so that a mistake has the same error in
 * local mode, in tests and on AWS.
 */

import { byteOrder } from "./byte-order.ts";
import { misuse } from "./misuse.ts";
import { isReserved, storedSize } from "./packed/packed.ts";
import { itemLimit, sizeOf, sizeOfItem } from "./size.ts";
import {
  type Index,
  type Item,
  indexes,
  type Json,
  type Key,
  type Query,
  transactionLimit,
  type Update,
  type Write,
  type WriteCondition,
} from "./store.ts";

const pkLimit = 2048;
const skLimit = 1024;

/** The key of the item that a write names. */
export function keyOf(write: Write): Key {
  if ("put" in write) return write.put;
  if ("update" in write) return write.update;
  if ("delete" in write) return write.delete;
  return write.check;
}

/** A key as one string, for a Map or Set. */
export const keyId = ({ pk, sk }: Key): string => JSON.stringify([pk, sk]);

/** The position of an item in an index; undefined when the item is not in the index. */
export function indexKey(item: Item, index: Index): Key | undefined {
  const pk = item[`${index}pk`];
  const sk = item[`${index}sk`];
  return typeof pk === "string" && typeof sk === "string" ? { pk, sk } : undefined;
}

/** Whether an item that was read by its key is still at its place in the index. */
export function isStillAt(
  item: Item | undefined,
  entry: Item | undefined,
  index: Index,
): item is Item {
  if (!item || !entry) return false;
  const [is, was] = [indexKey(item, index), indexKey(entry, index)];
  return is !== undefined && is.pk === was?.pk && is.sk === was.sk;
}

/** Throws Internal for writes that no store can make, whatever its content. */
export function checkWrites(writes: Write[]): void {
  if (writes.length > transactionLimit) {
    throw misuse(`a transaction of ${writes.length} items; ${transactionLimit} is the limit`);
  }
  const named = new Set<string>();
  for (const write of writes) {
    const key = keyOf(write);
    checkKey(key);
    const id = keyId(key);
    if (named.has(id)) throw misuse(`a transaction names ${id} twice`);
    named.add(id);
    if (write.if) checkCondition(write.if);
    if ("put" in write) checkPut(write.put);
    if ("update" in write) checkUpdate(write);
  }
}

export function checkKey({ pk, sk }: Key): void {
  checkKeyAttribute("pk", pk, pkLimit);
  checkKeyAttribute("sk", sk, skLimit);
}

/** Throws Internal for an invalid query. */
export function checkQuery({ pk, limit }: Query): void {
  checkKeyAttribute("pk", pk, pkLimit);
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
    throw misuse(`a query limit of ${limit}`);
  }
}

/** Whether a query's range is empty; DynamoDB refuses such a query. */
export function isEmptyRange({ range }: Query): boolean {
  if (!range || "prefix" in range || range.to === undefined) return false;
  return range.to === "" || byteOrder(range.from ?? "", range.to) > 0;
}

function checkPut(item: Item): void {
  for (const index of indexes) {
    const pk = item[`${index}pk`];
    const sk = item[`${index}sk`];
    if (pk === undefined && sk === undefined) continue;
    checkKeyAttribute(`${index}pk`, pk, pkLimit);
    checkKeyAttribute(`${index}sk`, sk, skLimit);
  }
  Object.keys(item).forEach(checkName);
  checkSize(item);
}

/** The size of an item before it is packed. Throws Internal for an item that is too large even packed. */
export function checkSize(item: Item): number {
  const size = sizeOfItem(item);
  if (size <= itemLimit) return size;
  const stored = storedSize(item);
  if (stored <= itemLimit) return size;
  throw misuse(`${keyId(item)} has ${stored} bytes; ${itemLimit} is the limit`);
}

function checkUpdate({ set = {}, remove = [], add = {} }: Update): void {
  const names = [...Object.keys(set), ...remove, ...Object.keys(add)];
  if (names.length === 0) throw misuse("an update changes nothing");
  if (new Set(names).size < names.length) throw misuse("an update names an attribute twice");
  for (const name of names) {
    if (name === "pk" || name === "sk") throw misuse(`an update of "${name}", part of the key`);
    checkName(name);
  }
  for (const value of Object.values(set)) sizeOf(value, 1);
  for (const [name, amount] of Object.entries(add)) {
    if (!Number.isSafeInteger(amount)) throw misuse(`cannot add ${amount} to "${name}"`);
  }
  for (const index of indexes) checkIndexUpdate(index, set, remove, add);
}

/**
 * The two attributes of an index are set together or removed together, so that an item always has both
 * or neither.
 */
function checkIndexUpdate(
  index: Index,
  set: Record<string, Json>,
  remove: string[],
  add: Record<string, number>,
): void {
  const [pk, sk] = [`${index}pk`, `${index}sk`] as const;
  if (Object.hasOwn(add, pk) || Object.hasOwn(add, sk)) throw misuse(`an update adds to ${index}`);
  if (Object.hasOwn(set, pk) || Object.hasOwn(set, sk)) {
    checkKeyAttribute(pk, set[pk], pkLimit);
    checkKeyAttribute(sk, set[sk], skLimit);
  } else if (remove.includes(pk) !== remove.includes(sk)) {
    throw misuse(`an update removes only half of ${index}`);
  }
}

function checkCondition(condition: WriteCondition): void {
  if ("of" in condition) {
    if (condition.of.length === 0) throw misuse(`a condition "${condition.test}" of nothing`);
    condition.of.forEach(checkCondition);
    return;
  }
  if (!("attribute" in condition)) return;
  checkName(condition.attribute);
  if (!("value" in condition)) return;
  sizeOf(condition.value);
  const ordering = condition.test !== "eq" && condition.test !== "ne";
  if (ordering && typeof condition.value === "boolean") {
    throw misuse(`a condition "${condition.test}" of a boolean`);
  }
}

function checkName(name: string): void {
  if (name === "") throw misuse("an attribute without a name");
  if (isReserved(name)) throw misuse(`"${name}" is the store's own attribute`);
}

function checkKeyAttribute(name: string, value: Json | undefined, limit: number): void {
  if (typeof value !== "string" || value === "") {
    throw misuse(`${name} must be a string that is not empty`);
  }
  if (Buffer.byteLength(value) > limit) throw misuse(`${name} is longer than ${limit} bytes`);
}
