import { AsyncLocalStorage } from "node:async_hooks";
import { type FunctionName, functions } from "../../infra/functions.ts";
import { durations } from "./prices.ts";

/** What is counted of a change: everything that AWS charges for, and what functions wait for. */
export const counted = [
  "transitions",
  "tableWriteUnits",
  "indexWriteUnits",
  "readUnits",
  /** Events for integrators. */
  "events",
  /** Events of hubs, each a run of the observers. */
  "reports",
  /** Of the HTTP API, each a run of its function. */
  "requests",
  /** Runs of workers: tasks of state machines; looks for a step that waits. */
  "steps",
  "looks",
  /** Of the queue of rechecks, each a run of the function for due operations. */
  "messages",
  "relayBatches",
  "storeCalls",
  "awsCalls",
  "outsideCalls",
  /** Memory of all functions by the time that they run: an estimate from what they call. */
  "gigabyteMilliseconds",
] as const;
export type Counts = Record<(typeof counted)[number], number>;

const none = (): Counts =>
  Object.fromEntries(counted.map((name) => [name, 0])) as unknown as Counts;

export const nothing: Readonly<Counts> = none();

/** What is in `counts` beyond what would have been anyway; whole numbers. */
export function beyond(counts: Counts, anyway: Counts): Counts {
  const difference = none();
  for (const name of counted) difference[name] = Math.round(counts[name] - anyway[name]);
  return difference;
}

/** Both together. */
export function plus(counts: Counts, more: Counts): Counts {
  const sum = none();
  for (const name of counted) sum[name] = counts[name] + more[name];
  return sum;
}

/** How long one of these takes in the function that makes it, in milliseconds. */
const taking: Partial<Record<keyof Counts, number>> = {
  storeCalls: durations.store,
  awsCalls: durations.aws,
  outsideCalls: durations.outside,
};

/** What a count is made up of, by names such as `storeCalls.Query` and `outsideCalls.hub.GET`. */
export type Details = Record<string, number>;

/** What is in `details` beyond what would have been anyway, in order of the names. */
export function detailsBeyond(details: Details, anyway: Details): Details {
  const names = [...new Set([...Object.keys(details), ...Object.keys(anyway)])].sort();
  return Object.fromEntries(
    names.map((name) => [name, (details[name] ?? 0) - (anyway[name] ?? 0)]),
  );
}

/** Counts, each for the function that runs: a millisecond costs by the memory of its function. */
export class Meter {
  #counts = none();
  #details: Details = {};
  readonly #running = new AsyncLocalStorage<FunctionName>();

  /** `of`: what of it, such as the operation of a call. */
  add(what: keyof Counts, by = 1, of?: string): void {
    this.#counts[what] += by;
    if (of !== undefined) this.note(`${what}.${of}`, by);
    const milliseconds = taking[what];
    if (milliseconds !== undefined) this.#spend(by * milliseconds, this.#running.getStore());
  }

  /** Counts a run of a function: it computes, which costs the same at any memory. */
  ran(as: keyof Counts): void {
    this.add(as);
    this.#counts.gigabyteMilliseconds += durations.invocation * durations.processor;
  }

  /** All that this work calls counts for this function. */
  within<T>(name: FunctionName, work: () => T): T {
    return this.#running.run(name, work);
  }

  /** Counts what AWS does not charge for, or what is a part of a count. */
  note(name: string, by = 1): void {
    this.#details[name] = (this.#details[name] ?? 0) + by;
  }

  /** What was counted since it was last read. */
  read(): Counts {
    const counts = this.#counts;
    this.#counts = none();
    return counts;
  }

  /** The same of the details. */
  readDetails(): Details {
    const details = this.#details;
    this.#details = {};
    return details;
  }

  /** What the clock starts is the function for due operations, but for sweeps, which count on the twin too. */
  #spend(milliseconds: number, name: FunctionName = "due"): void {
    this.#counts.gigabyteMilliseconds += (milliseconds * functions[name].megabytes) / 1024;
  }
}
