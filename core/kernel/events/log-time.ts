import type { Clock } from "../../clock.ts";

/**
 * The time that orders the entries of event logs: whole microseconds of the deployment's clock. An entry
 * has the time of its event, or that at which its writer began to write it. Readers stop where every entry
 * has been written, so that no entry appears behind a reader.
 */
export interface LogTime {
  /** The time of a new entry: later than every time that this process gave before. */
  next(): number;
  /**
   * Whether a write that is begun now ends before readers come to this time, so that an entry can still
   * have it.
   */
  isOpen(time: number): boolean;
  /** Where readers stop: every entry before this time has been written. */
  settled(): number;
  /** Milliseconds of the clock until readers find an entry of this time. */
  until(time: number): number;
  /** How long one try to write an entry may take, in real milliseconds; any time when absent. */
  longestTry?: number;
  /** How far the times of different processes may be apart. */
  apart: number;
}

/**
 * For one process that writes all entries into a store of its own: a write is done before anything else
 * happens in the process, so readers need not wait, and are always further than the event that is told.
 */
export function oneWriter(clock: Clock): LogTime {
  const next = increasing(clock);
  return { next, isOpen: () => false, settled: next, until: () => 0, apart: 0 };
}

/** How long writes and clocks of several processes may take to agree, in milliseconds. */
export interface Settling {
  /**
   * How far readers stay behind: what the relay may take from an event to its entry, `longestTry`, and
   * `apart`.
   */
  settling: number;
  longestTry: number;
  /** The store's own time, and the clocks' difference. */
  apart: number;
}

/**
 * Leaves the relay 2.5 seconds: the stream hands it records after half a second as a rule, and those of
 * one second together (`infra/stack/relay.ts`).
 */
const usual: Settling = { settling: 4000, longestTry: 500, apart: 1000 };

/** For processes that write with clocks of their own. */
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

/** Several times of one millisecond differ in their microseconds. */
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
