import type { Clock } from "../clock.ts";
import { AppError, isKind } from "../error.ts";
import { NotNow } from "./refusal.ts";

/**
 * Spares a system that cannot be asked. After `threshold` calls in a row ended Unavailable, calls
 * end so at once, for `rest` milliseconds; then one call is let through, and how it ends decides.
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #threshold: number;
  readonly #rest: number;
  #failures = 0;
  #restsUntil = 0;
  #probing = false;

  constructor(clock: Clock, threshold = 5, rest = 15_000) {
    this.#clock = clock;
    this.#threshold = threshold;
    this.#rest = rest;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    const probe = this.#failures >= this.#threshold;
    if (probe && (this.#probing || this.#clock.now() < this.#restsUntil)) {
      throw new AppError("Unavailable", "the hub has not answered lately");
    }
    this.#probing = probe;
    try {
      const result = await call();
      this.#failures = 0;
      return result;
    } catch (error) {
      // Whatever else it says, it was there to say it.
      const absent = isKind(error, "Unavailable") && !(error instanceof NotNow);
      this.#failures = absent ? this.#failures + 1 : 0;
      this.#restsUntil = this.#clock.now() + this.#rest;
      throw error;
    } finally {
      if (probe) this.#probing = false;
    }
  }
}
