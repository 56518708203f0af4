/** The source of all random numbers. */
export interface Chance {
  /** A whole number from 0 to below `n`. */
  below(n: number): number;
  /** True once in `n` times on average. */
  oneIn(n: number): boolean;
  /** One of these, with equal probability. Throws for an empty list. */
  pick<T>(list: readonly T[]): T;
  /** One of these names, by their weights. */
  weighed<Name extends string>(weights: Weights<Name>): Name;
}

/** The relative frequencies of names. */
export type Weights<Name extends string> = Readonly<Partial<Record<Name, number>>>;

export function chance(random: () => number): Chance {
  const below = (n: number) => Math.floor(random() * n);
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick(list) {
      if (list.length === 0) throw new Error("there is nothing to pick from");
      // Safe: the index is within the list's bounds.
      return list[below(list.length)] as (typeof list)[number];
    },
    weighed<Name extends string>(weights: Weights<Name>) {
      const all = Object.entries<number | undefined>(weights);
      let left = random() * all.reduce((sum, [, weight = 0]) => sum + weight, 0);
      const found = all.find(([, weight = 0]) => {
        left -= weight;
        return left < 0;
      });
      if (!found) throw new Error("there is nothing to weigh");
      // Safe: the names are those of the weights.
      return found[0] as Name;
    },
  };
}
