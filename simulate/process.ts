import type { Clock, Timer } from "../core/clock.ts";
import type { Store } from "../core/kernel/store/store.ts";
import { takeTurns } from "../test/support/scheduled-store.ts";

/**
 * A process of Slipway, which is also its clock. After its end nothing of it continues: its timers do not fire, and
 * neither the store nor outside systems answer it.
 */
export class Process implements Clock {
  readonly #clock: Clock;
  readonly #timers = new Set<Timer>();
  /** Callers outside that wait for the process. */
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  after(ms: number, fn: () => void): Timer {
    if (this.#isOver) return { cancel: () => {} };
    const timer = this.#clock.after(ms, () => {
      this.#timers.delete(timer);
      fn();
    });
    this.#timers.add(timer);
    return {
      cancel: () => {
        this.#timers.delete(timer);
        timer.cancel();
      },
    };
  }

  /** Sends a request outside. It arrives even if the process ends before the answer. */
  async ask<T>(send: () => Promise<T>): Promise<T> {
    if (this.#isOver) return never;
    try {
      const answer = await send();
      return this.#isOver ? never : answer;
    } catch (error) {
      if (this.#isOver) return never;
      throw error;
    }
  }

  /** Makes the store answer only while the process runs. */
  uses(store: Store): void {
    takeTurns(store, async () => {
      if (this.#isOver) await never;
    });
  }

  /** Runs work in the process, for a caller from outside; resolves when the work is done or the process has ended. */
  serve(work: () => Promise<void>): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.add(resolve);
      work()
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(resolve));
    });
  }

  end(): void {
    this.#isOver = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    for (const leave of this.#waiting) leave();
    this.#waiting.clear();
  }
}

const never = new Promise<never>(() => {});
