import type { Deps } from "../kernel/deps.ts";

/** The list in random order, so that its first items do not always come first. */
export function shuffled<T>({ random }: Pick<Deps, "random">, list: T[]): T[] {
  return list
    .map((item) => ({ item, lot: random() }))
    .sort((a, b) => a.lot - b.lot)
    .map(({ item }) => item);
}
