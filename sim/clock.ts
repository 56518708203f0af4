import type { DatabaseSync } from "node:sqlite";
import type { Clock, Timer } from "../core/clock.ts";
import { isDiskFull } from "../core/kernel/store/disk-full.ts";
import { processTime } from "./process-time.ts";

export interface ScaledClockOptions {
  /** The database that stores the clock's value; from `openDatabase`. */
  database: DatabaseSync;
  /** Simulated milliseconds per real millisecond. */
  speed: number;
  /** The clock's first value; the real time by default. */
  start?: number;
  /** Whether the clock is paused until `run` is called. */
  paused?: boolean;
  /** Real milliseconds in which the process has run or been idle so far (`processTime`). */
  processTime?: () => number;
}

/** Real milliseconds between two ticks. */
const tickEvery = 50;
/**
 * The most that one tick may advance, in real and in simulated milliseconds, so that a stalled process does not exceed
 * deadlines.
 */
const longestTick = 250;
const farthestTick = 60_000;
/**
 * Simulated milliseconds that a tick may advance beyond the time of `processTime`: too few to affect a deadline, and
 * enough for a clock at speed 1 to keep time under any load.
 */
const grace = longestTick;

interface Pending {
  due: number;
  order: number;
  fn: () => void;
}

/**
 * A durable clock that runs `speed` times as fast as real time. After a restart it continues at most 250 real
 * milliseconds ahead of where the process ended. It advances only while the process gets CPU, so that a busy machine
 * slows the simulated world and no deadline passes.
 */
export class ScaledClock implements Clock {
  readonly speed: number;
  /** Real milliseconds that one tick may count. */
  readonly #longest: number;
  readonly #grace: number;
  readonly #processTime: () => number;
  readonly #save: (value: number) => void;
  readonly #pending: Pending[] = [];
  #count = 0;
  /** The clock's value at the real instant `#tickedAt`. */
  #value: number;
  #tickedAt = performance.now();
  /** The process's time at `#tickedAt`. */
  #hadAt: number;
  /**
   * The latest value that the clock may show before a later one is stored, so that time never runs
   * backwards.
   */
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

  /** Pauses the clock until `run` is called. */
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

  /** Stops the clock; pending timers never fire. */
  stop(): void {
    if (this.#isStopped) return;
    this.#value = this.now();
    this.#isStopped = true;
    this.#stands = true;
    clearTimeout(this.#timer);
    this.#pending.length = 0;
    this.#save(this.#value);
  }

  /** Schedules the next tick, or an earlier timer. */
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
      // Time pauses while it cannot be stored; `local/disk.ts` reports the full disk.
      if (!isDiskFull(error)) throw error;
    } finally {
      this.#arm();
    }
  }

  /** Counts from now on; returns the real time. */
  #begin(): number {
    this.#tickedAt = performance.now();
    this.#hadAt = this.#processTime();
    return this.#tickedAt;
  }

  #fire(): void {
    // Timers that these callbacks add wait for the next tick, so that a chain of timers cannot block the process.
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
        // A timer of the simulated world failed to write, because the disk is full: it is repeated at the next
        // tick.
        if (isDiskFull(error)) this.#pending.unshift(one);
        throw error;
      }
    }
  }

  /** Stores a value ahead that the clock may reach until the next tick, and returns it. */
  #reserve(): number {
    const until = this.#value + this.#longest * this.speed;
    this.#save(until);
    return until;
  }
}
