import { type Chance, chance } from "./chance.ts";
import { type Counts, count } from "./counts.ts";

/** Ways for something to go wrong, by name. */
export type Faults<Act> = Readonly<Record<string, Fault<Act>>>;

export interface Fault<Act> {
  /** How often it happens, beside the others of its table. */
  weight: number;
  act: Act;
}

/** Decides what goes wrong, and counts it. */
export class Dice {
  /** By where and how. */
  readonly happened: Counts = {};
  /** Whether anything goes wrong at the moment. */
  areOn = false;
  readonly #random: () => number;
  readonly #chance: Chance;
  readonly #rate: number;

  constructor(random: () => number, rate: number) {
    this.#random = random;
    this.#chance = chance(random);
    this.#rate = rate;
  }

  /** What goes wrong this time, with `what` of these; undefined when it goes well. */
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

  /** Counts trouble, which was not rolled. */
  note(trouble: string): void {
    count(this.happened, `trouble: ${trouble}`);
  }
}
