import type { Clock } from "../../clock.ts";

/**
 * The time by which entries of event logs are ordered: whole microseconds of the deployment's clock. An entry
 * has the time of its event, or the time at which its write began. Readers stop at a time before which all
 * entries have been written, so that they miss none.
 */
export interface LogTime {
  /** The time of a new entry: later than all earlier times of this process. */
  next(): number;
  /** Whether an entry may have this time: a write that begins now ends before readers reach it. */
  isOpen(time: number): boolean;
  /** Where readers stop: every entry before this time has been written. */
  settled(): number;
  /** Milliseconds of the clock until readers find an entry of this time. */
  until(time: number): number;
  /** The time limit for one attempt to write an entry, in real milliseconds; unlimited if absent. */
  longestTry?: number;
  /** The largest difference between clocks of different processes. */
  apart: number;
}

/**
 * For a single process that writes all entries into its own store. A write ends before the process does anything else,
 * so readers need not wait. When an event is appended, readers have always passed its time.
 */
export function oneWriter(clock: Clock): LogTime {
  const next = increasing(clock);
  return { next, isOpen: () => false, settled: next, until: () => 0, apart: 0 };
}

/** How long writes may take, and how far the clocks of several processes may differ, in milliseconds. */
export interface Settling {
  /**
   * How far readers stay behind the present: the relay's longest time from an event to its entry, plus
   * `longestTry` and `apart`.
   */
  settling: number;
  longestTry: number;
  /** The store's own delay, and the difference of the clocks. */
  apart: number;
}

/**
 * Leaves the relay 2.5 seconds. The stream usually delivers a record after half a second, and all records of one second
 * together (`infra/stack/relay.ts`).
 */
const usual: Settling = { settling: 4000, longestTry: 500, apart: 1000 };

/** For several processes, each with its own clock. */
export function manyWriters(clock: Clock, { settling, longestTry, apart } = usual): LogTime {
  return {
    next: increasing(clock),
    isOpen: (time) => micros(clock.now() + longestTry + apart - settling) <= time,
    settled: () => micros(clock.now() - settling),
    until: (time) => Math.max(0, Math.floor(time / 1000) + settling + 1 - clock.now()),
    longestTry,
    apart: micros(apart),
  };
}

/** Times in the same millisecond get different microseconds. */
function increasing(clock: Clock): () => number {
  let last = 0;
  return () => {
    last = Math.max(last + 1, micros(clock.now()));
    return last;
  };
}

const micros = (ms: number): number => Math.round(ms * 1000);

declare module "../deps.ts" {
  interface Deps {
    logTime: LogTime;
  }
}
