import { misuse } from "./misuse.ts";
import type { Item, Update } from "./store.ts";

/**
 * The item after an update; a new one when there was none. Takes only updates that passed
 * `checkWrites`: they name each attribute once, so their order does not matter. Throws Internal when
 * `add` meets a value that is not a number.
 */
export function updated(
  before: Item | undefined,
  { update: { pk, sk }, set, remove = [], add = {} }: Update,
): Item {
  const removed = new Set(remove);
  const kept = Object.entries(before ?? {}).filter(([name]) => !removed.has(name));
  const stored = new Map(kept);
  const sums = Object.entries(add).map(([name, amount]) => {
    const old = stored.get(name) ?? 0;
    if (typeof old !== "number") throw misuse(`cannot add to "${name}": it is not a number`);
    return [name, old + amount];
  });
  return { ...Object.fromEntries(kept), ...set, ...Object.fromEntries(sums), pk, sk };
}
