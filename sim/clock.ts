import type { DatabaseSync } from "node:sqlite";
import type { Clock, Timer } from "../core/clock.ts";
import { isDiskFull } from "../core/kernel/store/disk-full.ts";
import { processTime } from "./process-time.ts";

export interface ScaledClockOptions {
  /** The database that stores the clock's value; from `openDatabase`. */
  database: DatabaseSync;
  /** Milliseconds of the clock for each real one. */
  speed: number;
  /** The clock's first value; the real time by default. */
  start?: number;
  /** Whether the clock stands still until `run` is called. */
  paused?: boolean;
  /** Real milliseconds that the process has had so far. */
  processTime?: () => number;
}

/** Real milliseconds between two ticks. */
const tickEvery = 50;
/**
 * What one tick may count for, so that a stalled process fires no deadlines: real milliseconds, and
 * milliseconds of the clock.
 */
const longestTick = 250;
const farthestTick = 60_000;
/**
 * What one tick counts beside the time that the process has had, in milliseconds of the clock: so little
 * that no deadline feels it, and enough for a clock at speed 1 to keep time whatever the machine does.
 */
const grace = longestTick;

interface Pending {
  due: number;
  order: number;
  fn: () => void;
}

/**
 * A clock that runs `speed` times as fast as the real one and is durable: when opened again it
 * continues, at most 250 real milliseconds ahead of where the process ended. It waits while the machine
 * gives the process no CPU: a busy machine makes the simulated world slow, and no deadline pass in it.
 */
export class ScaledClock implements Clock {
  readonly speed: number;
  /** Real milliseconds. */
  readonly #longest: number;
  readonly #grace: number;
  readonly #processTime: () => number;
  readonly #save: (value: number) => void;
  readonly #pending: Pending[] = [];
  #count = 0;
  /** The clock's value at the real instant `#tickedAt`. */
  #value: number;
  #tickedAt = performance.now();
  /** What the process had had at that instant. */
  #hadAt: number;
  /** The clock does not pass this before a later value is stored, so time never goes back. */
  #stored: number;
  #savedAt = this.#tickedAt;
  #timer: NodeJS.Timeout | undefined;
  #stands: boolean;
  #isStopped = false;

  constructor(options: ScaledClockOptions) {
    const { database, speed, start = Date.now(), paused = false } = options;
    database.exec(
      "CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY, value REAL NOT NULL) STRICT",
    );
    const write = database.prepare("INSERT OR REPLACE INTO clock VALUES (1, ?)");
    this.#save = (value) => void write.run(value);
    this.speed = speed;
    this.#longest = Math.min(longestTick, Math.max(tickEvery, farthestTick / speed));
    this.#grace = grace / speed;
    this.#processTime = options.processTime ?? processTime;
    this.#hadAt = this.#processTime();
    this.#value = Number(database.prepare("SELECT value FROM clock").get()?.value ?? start);
    this.#stored = this.#reserve();
    this.#stands = paused;
    this.#arm();
  }

  /** Stops the time until `run` is called. */
  pause(): void {
    if (this.#stands) return;
    this.#value = this.now();
    this.#stands = true;
    clearTimeout(this.#timer);
  }

  /** Ends a pause. */
  run(): void {
    if (!this.#stands || this.#isStopped) return;
    this.#stands = false;
    this.#begin();
    this.#arm();
  }

  now(): number {
    if (this.#stands) return Math.floor(this.#value);
    const elapsed = Math.min(
      performance.now() - this.#tickedAt,
      this.#processTime() - this.#hadAt + this.#grace,
      this.#longest,
    );
    return Math.floor(Math.min(this.#value + elapsed * this.speed, this.#stored));
  }

  after(ms: number, fn: () => void): Timer {
    this.#count += 1;
    const pending = { due: this.now() + Math.max(0, ms), order: this.#count, fn };
    const index = this.#pending.findLastIndex(({ due }) => due <= pending.due) + 1;
    this.#pending.splice(index, 0, pending);
    if (index === 0) this.#arm();
    return {
      cancel: () => {
        const at = this.#pending.indexOf(pending);
        if (at >= 0) this.#pending.splice(at, 1);
      },
    };
  }

  /** Ends the clock; timers that have not fired never do. */
  stop(): void {
    if (this.#isStopped) return;
    this.#value = this.now();
    this.#isStopped = true;
    this.#stands = true;
    clearTimeout(this.#timer);
    this.#pending.length = 0;
    this.#save(this.#value);
  }

  /** Wakes for the next tick, or earlier for the next timer. */
  #arm(): void {
    if (this.#stands) return;
    clearTimeout(this.#timer);
    const next = this.#pending[0];
    const wait = next ? Math.ceil((next.due - this.now()) / this.speed) : tickEvery;
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, Math.min(wait, tickEvery)));
  }

  #tick(): void {
    this.#value = this.now();
    const real = this.#begin();
    try {
      if (real - this.#savedAt >= tickEvery || this.#value >= this.#stored) {
        this.#savedAt = real;
        this.#stored = this.#reserve();
      }
      this.#fire();
    } catch (error) {
      // Time stands still while it cannot be stored; the watch of the disk reports that.
      if (!isDiskFull(error)) throw error;
    } finally {
      this.#arm();
    }
  }

  /** Counts from now on; answers the real instant. */
  #begin(): number {
    this.#tickedAt = performance.now();
    this.#hadAt = this.#processTime();
    return this.#tickedAt;
  }

  #fire(): void {
    // New timers of these callbacks wait for the next tick, so that a chain of timers cannot hold the
    // process.
    const last = this.#count;
    const due = this.#pending.filter((one) => one.due <= this.#value && one.order <= last);
    for (const one of due) {
      const at = this.#pending.indexOf(one);
      // An earlier timer may have cancelled this one.
      if (at < 0) continue;
      this.#pending.splice(at, 1);
      try {
        one.fn();
      } catch (error) {
        // The simulated world writes in its timers: on a full disk this timer is due again with the
        // next tick.
        if (isDiskFull(error)) this.#pending.unshift(one);
        throw error;
      }
    }
  }

  /** Stores how far the clock may run until the next tick, and answers that. */
  #reserve(): number {
    const until = this.#value + this.#longest * this.speed;
    this.#save(until);
    return until;
  }
}
