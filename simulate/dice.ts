import { type Chance, chance } from "./chance.ts";
import { type Counts, count } from "./counts.ts";

/** The possible faults, by name. */
export type Faults<Act> = Readonly<Record<string, Fault<Act>>>;

export interface Fault<Act> {
  /** Its relative frequency in its table. */
  weight: number;
  act: Act;
}

/** Draws faults, and counts them. */
export class Dice {
  /** The counts by place and fault. */
  readonly happened: Counts = {};
  /** Whether faults are enabled now. */
  areOn = false;
  readonly #random: () => number;
  readonly #chance: Chance;
  readonly #rate: number;

  constructor(random: () => number, rate: number) {
    this.#random = random;
    this.#chance = chance(random);
    this.#rate = rate;
  }

  /** The fault of this occurrence of `what`, from the table; undefined when it succeeds. */
  roll<Act>(what: string, faults: Faults<Act>): Act | undefined {
    if (!this.areOn || this.#random() >= this.#rate) return undefined;
    const weights = Object.entries(faults).map(([name, { weight }]) => [name, weight] as const);
    const name = this.#chance.weighed(Object.fromEntries(weights));
    count(this.happened, `${what}: ${name}`);
    return faults[name]?.act;
  }

  /** A whole number from 0 to below `n`. */
  below(n: number): number {
    return this.#chance.below(n);
  }

  /** Counts trouble, which comes from the plan instead of a draw. */
  note(trouble: string): void {
    count(this.happened, `trouble: ${trouble}`);
  }
}
