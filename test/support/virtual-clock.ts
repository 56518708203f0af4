import TinyQueue from "tinyqueue";
import type { Clock, Timer } from "../../core/clock.ts";
import { cryptography } from "./cryptography.ts";
import "./loaded-first.ts";
import { patience } from "./patience.ts";

interface Armed {
  at: number;
  /** The order in which timers were set. */
  number: number;
  fn: () => void;
  isCancelled?: true;
  hasFired?: true;
}

/** Those of the same time fire in the order they were set. */
const byTurn = (one: Armed, other: Armed): number => one.at - other.at || one.number - other.number;

/**
 * A clock that stands still until a test moves it. Timers fire in the order of their times, those
 * of the same time in the order they were set; between two times, promises and immediates settle, and
 * keys and signatures are made, which threads do in real time.
 */
export class VirtualClock implements Clock {
  /** Awaited before time moves on: work that takes no time on this clock. */
  meanwhile: () => Promise<void> = async () => {};
  #now: number;
  readonly #armed = new TinyQueue<Armed>([], byTurn);
  #set = 0;
  #cancelled = 0;

  /** `start` is in milliseconds since the epoch. */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void): Timer {
    this.#set += 1;
    const armed: Armed = { at: this.#now + Math.max(0, ms), number: this.#set, fn };
    this.#armed.push(armed);
    return { cancel: () => this.#cancel(armed) };
  }

  /** Timers that have not fired. */
  get pending(): number {
    return this.#armed.length - this.#cancelled;
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

  /** The timer that fires next. Those that were cancelled leave when it would be their turn. */
  #next(): Armed | undefined {
    for (;;) {
      const next = this.#armed.peek();
      if (!next?.isCancelled) return next;
      this.#cancelled -= 1;
      this.#armed.pop();
    }
  }

  #cancel(armed: Armed): void {
    if (armed.isCancelled || armed.hasFired) return;
    armed.isCancelled = true;
    this.#cancelled += 1;
  }

  async #fire(armed: Armed): Promise<void> {
    this.#armed.pop();
    armed.hasFired = true;
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
