import { foreignNumberKey, numberKey, numbersKey } from "../../../kernel/object/keys.ts";
import type { Item, Store } from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";
import { counters } from "../own/numbers.ts";

/** Who has a number by Slipway's own table. */

/** In whose name a number is held that somebody else has in NetBox. No object has this name. */
export const elsewhere = "netbox";

export type NumberState =
  | { use: "held" | "foreign"; holder: string }
  /** Nobody has it: it rests, or is free. */
  | { use: "none" };

export async function stateOf(
  store: Store,
  { name }: NumberPool,
  number: number,
): Promise<NumberState> {
  return stateIn(await store.get(numberKey(name, number)));
}

/** The numbers that somebody has, with who that is. Reads all that were ever given out. */
export async function heldNumbers(
  store: Store,
  pool: NumberPool,
): Promise<Map<number, NumberState>> {
  const { next } = counters(await store.get(numbersKey(pool.name)));
  const numbers = Array.from({ length: next }, (_, n) => pool.first + n);
  const items = await store.getMany(numbers.map((number) => numberKey(pool.name, number)));
  return new Map(
    numbers.flatMap((number, n) => {
      const state = stateIn(items[n]);
      return state.use === "none" ? [] : [[number, state]];
    }),
  );
}

/** What holds a number for something outside has no kind. */
function stateIn(item: Item | undefined): NumberState {
  if (!item) return { use: "none" };
  const { owner, kind } = item;
  return typeof kind === "string"
    ? { use: "held", holder: `${kind}/${owner}` }
    : { use: "foreign", holder: String(owner) };
}

/** The items of a number that somebody else has in NetBox, so that nobody gets it. */
export const elsewhereItems = ({ name }: NumberPool, number: number): [Item, Item] => [
  { ...numberKey(name, number), owner: elsewhere },
  { ...foreignNumberKey(name, number), number, cluster: elsewhere },
];
