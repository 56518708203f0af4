import { foreignNumberKey, numberKey, numbersKey } from "../../../kernel/object/number-keys.ts";
import type { Item, Store } from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";
import { counters } from "../own/counters.ts";
import type { StoredNumbers } from "./drift.ts";
import { elsewhere, type NumberState, stateIn } from "./number-state.ts";
import { pendingUpdatesIn } from "./pending-updates.ts";

/** The holder of a number by Slipway's own table. */

export async function stateOf(
  store: Store,
  { name }: NumberPool,
  number: number,
): Promise<NumberState> {
  return stateIn(await store.get(numberKey(name, number)));
}

/** The numbers to compare NetBox with. Numbers with a pending update are no drift. */
export const ownNumbers = (store: Store, pool: NumberPool): StoredNumbers => ({
  async states() {
    const { next } = counters(await store.get(numbersKey(pool.name)));
    const numbers = Array.from({ length: next }, (_, n) => pool.first + n);
    const items = await store.getMany(numbers.map((number) => numberKey(pool.name, number)));
    return new Map(numbers.flatMap((number, n) => (items[n] ? [[number, stateIn(items[n])]] : [])));
  },
  async unexplained(differences) {
    if (differences.length === 0) return [];
    const mirrored = new Set((await pendingUpdatesIn(store, pool)).map(({ number }) => number));
    return differences.filter(({ number }) => !mirrored.has(number));
  },
});

/** The items that block a number which somebody else has in NetBox. */
export const elsewhereItems = ({ name }: NumberPool, number: number): [Item, Item] => [
  { ...numberKey(name, number), owner: elsewhere },
  { ...foreignNumberKey(name, number), number, cluster: elsewhere },
];
