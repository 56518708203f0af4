import type { Retrier } from "./asl.ts";
import { matchesError } from "./errors.ts";

/** The longest delay in seconds: the limit of MaxDelaySeconds, and the cap of a delay without it. */
const longestDelay = 31_622_400;

/** The `Retry` of one state, with the number of uses of each retrier. */
export class Retries {
  readonly #retriers: readonly Retrier[];
  readonly #used = new Map<number, number>();

  constructor(retriers: readonly Retrier[] = []) {
    this.#retriers = retriers;
  }

  /** The index of the first retrier that names the error and has attempts left. */
  choose(error: string | undefined): number | undefined {
    const index = this.#retriers.findIndex(({ ErrorEquals }) => matchesError(ErrorEquals, error));
    const retrier = this.#retriers[index];
    if (retrier === undefined) return undefined;
    return this.#usedOf(index) < retrier.MaxAttempts ? index : undefined;
  }

  /** Milliseconds before the retrier's next attempt. */
  delay(index: number, random: () => number): number {
    const retrier = this.#retriers[index];
    if (retrier === undefined) return 0;
    const grown = retrier.IntervalSeconds * retrier.BackoffRate ** this.#usedOf(index);
    const seconds = Math.min(grown, retrier.MaxDelaySeconds ?? longestDelay);
    return Math.round(seconds * 1000 * (retrier.JitterStrategy === "FULL" ? random() : 1));
  }

  use(index: number): void {
    this.#used.set(index, this.#usedOf(index) + 1);
  }

  #usedOf(index: number): number {
    return this.#used.get(index) ?? 0;
  }
}
