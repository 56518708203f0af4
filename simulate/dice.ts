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
  readonly happened: Counts = {};
  /** Whether anything goes wrong at the moment. */
  areOn = false;
  readonly #random: () => number;
  readonly #rate: number;

  constructor(random: () => number, rate: number) {
    this.#random = random;
    this.#rate = rate;
  }

  /** What goes wrong this time, with `what` of these; undefined when it goes well. */
  roll<Act>(what: string, faults: Faults<Act>): Act | undefined {
    if (!this.areOn || this.#random() >= this.#rate) return undefined;
    const all = Object.entries(faults);
    const drawn = this.#random() * all.reduce((sum, [, { weight }]) => sum + weight, 0);
    const [name, fault] = at(all, drawn) ?? [];
    if (name === undefined) return undefined;
    count(this.happened, `${what} ${name}`);
    return fault?.act;
  }

  /** A whole number from 0 to below `n`. */
  below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  /** Counts what was not rolled. */
  note(name: string): void {
    count(this.happened, name);
  }
}

/** The fault at which the weights come to more than this. */
function at<Act>(all: readonly [string, Fault<Act>][], drawn: number) {
  let weights = 0;
  return all.find(([, { weight }]) => {
    weights += weight;
    return drawn < weights;
  });
}
