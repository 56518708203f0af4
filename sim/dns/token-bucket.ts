import type { Clock } from "../../core/clock.ts";

/** A rate limit: a burst, and a number of requests per second. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #rate: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt: number;

  constructor(clock: Clock, { rate, burst }: { rate: number; burst: number }) {
    this.#clock = clock;
    this.#rate = rate;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAt = clock.now();
  }

  /** Counts one request; false when the limit is reached. */
  take(): boolean {
    const now = this.#clock.now();
    const gained = ((now - this.#filledAt) / 1000) * this.#rate;
    this.#tokens = Math.min(this.#burst, this.#tokens + gained);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
