/** The store as a Map, as plainly as it can be said: what the contract holds the adapters to. */

import {
  type Item,
  type Key,
  type Refusal,
  TransactionRefused,
  type Update,
  type Write,
  type WriteCondition,
} from "../../../../core/kernel/store/store.ts";

export class Model {
  readonly items = new Map<string, Item>();

  /** "misuse" where a store throws Internal. */
  transact(writes: Write[]): "done" | "misuse" | TransactionRefused {
    const reasons = writes.map((write): Refusal | undefined => {
      const item = this.at(write);
      if (!write.if || holds(write.if, item)) return undefined;
      return item ? { item } : {};
    });
    if (reasons.some((reason) => reason)) return new TransactionRefused(reasons);
    const next = writes.map((write) => this.#after(write));
    if (next.includes("misuse")) return "misuse";
    writes.forEach((write, n) => {
      const item = next[n] as Item | undefined;
      if (item) this.items.set(id(write), item);
      else this.items.delete(id(write));
    });
    return "done";
  }

  at(write: Write): Item | undefined {
    return this.items.get(id(write));
  }

  #after(write: Write): Item | undefined | "misuse" {
    if ("put" in write) return write.put;
    if ("delete" in write) return undefined;
    if ("check" in write) return this.at(write);
    return update(structuredClone(this.at(write)) ?? { ...write.update }, write);
  }
}

function id(write: Write): string {
  const { pk, sk } = target(write);
  return `${pk}|${sk}`;
}

function target(write: Write): Key {
  if ("put" in write) return write.put;
  if ("update" in write) return write.update;
  return "delete" in write ? write.delete : write.check;
}

function update(item: Item, { set = {}, remove = [], add = {} }: Update): Item | "misuse" {
  Object.assign(item, set);
  for (const name of remove) delete item[name];
  for (const [name, amount] of Object.entries(add)) {
    const old = item[name] ?? 0;
    if (typeof old !== "number") return "misuse";
    item[name] = old + amount;
  }
  return item;
}

function holds(condition: WriteCondition, item: Item | undefined): boolean {
  if (condition.test === "exists") return item !== undefined;
  if (condition.test === "absent") return item === undefined;
  if ("of" in condition) {
    const held = condition.of.filter((each) => holds(each, item)).length;
    return condition.test === "all" ? held === condition.of.length : held > 0;
  }
  const stored = item?.[condition.attribute];
  if (!("value" in condition)) return (stored !== undefined) === (condition.test === "has");
  const { test, value } = condition;
  if (test === "eq") return stored === value;
  if (test === "ne") return stored !== value;
  if (typeof stored !== typeof value || typeof stored === "boolean") return false;
  const order = compareValues(stored as string | number, value as string | number);
  if (order === 0) return test === "le" || test === "ge";
  return order < 0 ? test === "lt" || test === "le" : test === "gt" || test === "ge";
}

function compareValues(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compareBytes(String(a), String(b));
}

/** By code points, which is the order of UTF-8 bytes. */
export function compareBytes(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let n = 0; n < Math.min(left.length, right.length); n += 1) {
    const difference = (left[n]?.codePointAt(0) ?? 0) - (right[n]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
