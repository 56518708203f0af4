import type { Deps } from "../deps.ts";

/** The same in random order, so that what comes first in a list does not always have its turn first. */
export function shuffled<T>({ random }: Pick<Deps, "random">, list: T[]): T[] {
  return list
    .map((item) => ({ item, lot: random() }))
    .sort((a, b) => a.lot - b.lot)
    .map(({ item }) => item);
}
