import type { Clock, Timer } from "../../core/clock.ts";
import { cryptography } from "./cryptography.ts";
import "./loaded-first.ts";
import { patience } from "./patience.ts";

interface Armed {
  at: number;
  fn: () => void;
}

/**
 * A clock that stands still until a test moves it. Timers fire in the order of their times, those
 * of the same time in the order they were set; between two times, promises and immediates settle, and
 * keys and signatures are made, which threads do in real time.
 */
export class VirtualClock implements Clock {
  /** Awaited before time moves on: work that takes no time on this clock. */
  meanwhile: () => Promise<void> = async () => {};
  #now: number;
  /** The next to fire first. */
  readonly #armed: Armed[] = [];

  /** `start` is in milliseconds since the epoch. */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void): Timer {
    const armed = { at: this.#now + Math.max(0, ms), fn };
    this.#armed.splice(this.#firstAfter(armed.at), 0, armed);
    return { cancel: () => this.#remove(armed) };
  }

  /** Timers that have not fired. */
  get pending(): number {
    return this.#armed.length;
  }

  /** Moves the clock on by `ms`, firing what falls due on the way. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.#settle();
    for (let next = this.#next(); next !== undefined && next.at <= end; next = this.#next()) {
      await this.#fire(next);
    }
    this.#now = end;
    await this.#settle();
  }

  /** Fires timers, however late, until none is left. */
  async run(): Promise<void> {
    await this.#settle();
    for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#fire(next);
  }

  /**
   * Fires timers until the promise settles, and gives what it gives. Throws when no timer is left
   * that could settle it.
   */
  async until<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const watch = Promise.allSettled([promise]).then(() => {
      settled = true;
    });
    await this.#settle();
    while (!settled) {
      const next = this.#next();
      if (next !== undefined) {
        await this.#fire(next);
        continue;
      }
      // Something may still be on its way over a socket, or a module be loading.
      const end = performance.now() + patience;
      while (!settled && this.#next() === undefined && performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      if (!settled && this.#next() === undefined) {
        throw new Error("no timer is left, and the promise is pending");
      }
    }
    await watch;
    return promise;
  }

  async #settle(): Promise<void> {
    do {
      await settle();
      await this.meanwhile();
    } while (await cryptography.ended());
  }

  #next(): Armed | undefined {
    return this.#armed[0];
  }

  #remove(armed: Armed): void {
    if (this.#armed[0] === armed) {
      this.#armed.shift();
      return;
    }
    const index = this.#armed.lastIndexOf(armed, this.#firstAfter(armed.at) - 1);
    if (index !== -1) this.#armed.splice(index, 1);
  }

  /** The place of the first timer after this time: a simulation has thousands. */
  #firstAfter(at: number): number {
    let [low, high] = [0, this.#armed.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#armed[middle]?.at ?? at) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  async #fire(armed: Armed): Promise<void> {
    this.#remove(armed);
    this.#now = Math.max(this.#now, armed.at);
    armed.fn();
    await this.#settle();
  }
}

/** Lets everything happen that waits for no time: promises, and a few rounds of immediates. */
async function settle(rounds = 4): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
