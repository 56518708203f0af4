import type { Clock } from "../../clock.ts";
import { AppError, isKind } from "../../error.ts";
import { called, type Outside } from "../../outside.ts";
import { NotNow } from "./not-now.ts";

interface BreakerOptions {
  clock: Clock;
  /** The protected system; errors from the breaker name it. */
  of?: Outside;
  threshold?: number;
  rest?: number;
  /** Called when a call goes unanswered after an answered one, and each time the breaker opens. */
  failed?: (error: AppError) => Promise<void>;
}

/**
 * A circuit breaker. After `threshold` consecutive calls that ended Unavailable, calls fail at once with the
 * last message for `rest` milliseconds. Then one call is let through, and its result decides. Written by
 * hand: cockatiel's breaker reads the system's clock, which simulated time does not follow.
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #of: Outside | undefined;
  readonly #threshold: number;
  readonly #rest: number;
  readonly #noteFailure: (error: AppError) => Promise<void>;
  #failures = 0;
  #last = "it does not answer";
  #restsUntil = 0;
  #probing = false;

  constructor({
    clock,
    of,
    threshold = 5,
    rest = 15_000,
    failed = async () => {},
  }: BreakerOptions) {
    this.#clock = clock;
    this.#of = of;
    this.#threshold = threshold;
    this.#rest = rest;
    this.#noteFailure = failed;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    const probe = this.#failures >= this.#threshold;
    if (probe && (this.#probing || this.#clock.now() < this.#restsUntil)) {
      const detail = "not called: it has not answered recently";
      throw this.#from(new AppError("Unavailable", this.#last, { detail }));
    }
    this.#probing = probe;
    try {
      const result = await (this.#of ? called({ from: this.#of }, call) : call());
      this.#failures = 0;
      return result;
    } catch (error) {
      this.#restsUntil = this.#clock.now() + this.#rest;
      await this.#failed(error);
      throw this.#from(error);
    } finally {
      if (probe) this.#probing = false;
    }
  }

  #from(error: unknown): unknown {
    if (this.#of && error instanceof AppError) error.from ??= this.#of;
    return error;
  }

  async #failed(error: unknown): Promise<void> {
    // The system answered, even if with a refusal.
    if (!isKind(error, "Unavailable") || error instanceof NotNow) {
      this.#failures = 0;
      return;
    }
    this.#failures += 1;
    this.#last = error.message;
    if (this.#failures === 1 || this.#failures === this.#threshold) await this.#noteFailure(error);
  }
}
