/** Draws, of which everything that is drawn comes. */
export interface Chance {
  /** A whole number from 0 to below `n`. */
  below(n: number): number;
  /** Whether it happens that happens once in so many times. */
  oneIn(n: number): boolean;
  /** One of these, each as often. Throws for an empty list. */
  pick<T>(list: readonly T[]): T;
  /** One of these names, each as often as its weight says beside the others. */
  weighed<Name extends string>(weights: Weights<Name>): Name;
}

/** How often each happens, beside the others. */
export type Weights<Name extends string> = Readonly<Partial<Record<Name, number>>>;

export function chance(random: () => number): Chance {
  const below = (n: number) => Math.floor(random() * n);
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick(list) {
      if (list.length === 0) throw new Error("there is nothing to pick from");
      // In bounds, so there is one.
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
      // The names are those of the weights.
      return found[0] as Name;
    },
  };
}
