import type { Key } from "../../../core/kernel/store/store.ts";
import { shown, type Table } from "./table.ts";

/** What counters ought to be: sums over the objects that they count. */
export class Sums {
  readonly #sums = new Map<string, Map<string, number>>();

  add(key: Key, counter: string, by = 1): void {
    const counters = this.#sums.get(shown(key)) ?? new Map<string, number>();
    counters.set(counter, (counters.get(counter) ?? 0) + by);
    this.#sums.set(shown(key), counters);
  }

  /** How the counters in the items of these words differ. Members that are no counters are left out. */
  wrongIn(table: Table, words: readonly string[], isCounter = (_name: string) => true): string[] {
    const wrong: string[] = [];
    const left = new Map(this.#sums);
    for (const item of words.flatMap((word) => table.items(word))) {
      const sums = left.get(shown(item)) ?? new Map<string, number>();
      left.delete(shown(item));
      const counters = Object.entries(item).filter(
        ([name, value]) => typeof value === "number" && isCounter(name),
      );
      for (const name of new Set([...counters.map(([name]) => name), ...sums.keys()])) {
        const [counted, sum] = [Number(item[name] ?? 0), sums.get(name) ?? 0];
        if (counted !== sum) wrong.push(`${shown(item)} counts ${counted} ${name}, not ${sum}`);
      }
    }
    for (const [key, sums] of left)
      for (const [name, sum] of sums)
        if (sum !== 0) wrong.push(`${key} is not there, and ought to count ${sum} ${name}`);
    return wrong;
  }
}
