import { AsyncLocalStorage } from "node:async_hooks";
import { type FunctionName, functions } from "../../infra/functions.ts";
import { durations } from "./prices.ts";

/** What is counted for a change: everything that AWS charges for, and the waiting time of functions. */
export const counted = [
  "transitions",
  "tableWriteUnits",
  "indexWriteUnits",
  "readUnits",
  /** Events for integrators. */
  "events",
  /** Reports of hubs, each a run of the observers. */
  "reports",
  /** Requests to the HTTP API, each a run of its function. */
  "requests",
  /** Runs of workers: tasks of state machines, and rechecks. */
  "steps",
  "looks",
  /** Messages of the recheck queue, each a run of the function for due operations. */
  "messages",
  "relayBatches",
  "storeCalls",
  "awsCalls",
  "outsideCalls",
  /** The memory of all functions by their run time, estimated from their calls. */
  "gigabyteMilliseconds",
] as const;
export type Counts = Record<(typeof counted)[number], number>;

const none = (): Counts =>
  Object.fromEntries(counted.map((name) => [name, 0])) as unknown as Counts;

export const nothing: Readonly<Counts> = none();

/** The counts beyond those of the baseline, rounded. */
export function beyond(counts: Counts, anyway: Counts): Counts {
  const difference = none();
  for (const name of counted) difference[name] = Math.round(counts[name] - anyway[name]);
  return difference;
}

/** The sum of both. */
export function plus(counts: Counts, more: Counts): Counts {
  const sum = none();
  for (const name of counted) sum[name] = counts[name] + more[name];
  return sum;
}

/** The time that each of these takes in its function, in milliseconds. */
const taking: Partial<Record<keyof Counts, number>> = {
  storeCalls: durations.store,
  awsCalls: durations.aws,
  outsideCalls: durations.outside,
};

/** The parts of a count, by names such as `storeCalls.Query` and `outsideCalls.hub.GET`. */
export type Details = Record<string, number>;

/** The details beyond those of the baseline, in order of the names. */
export function detailsBeyond(details: Details, anyway: Details): Details {
  const names = [...new Set([...Object.keys(details), ...Object.keys(anyway)])].sort();
  return Object.fromEntries(
    names.map((name) => [name, (details[name] ?? 0) - (anyway[name] ?? 0)]),
  );
}

/** Counts by the current function, since a millisecond's price depends on the function's memory. */
export class Meter {
  #counts = none();
  #details: Details = {};
  readonly #running = new AsyncLocalStorage<FunctionName>();

  /** `of`: a detail, such as the operation of a call. */
  add(what: keyof Counts, by = 1, of?: string): void {
    this.#counts[what] += by;
    if (of !== undefined) this.note(`${what}.${of}`, by);
    const milliseconds = taking[what];
    if (milliseconds !== undefined) this.#spend(by * milliseconds, this.#running.getStore());
  }

  /** Counts a run of a function with its computing time, which costs the same at any memory. */
  ran(as: keyof Counts): void {
    this.add(as);
    this.#counts.gigabyteMilliseconds += durations.invocation * durations.processor;
  }

  /** Counts all calls of this work for this function. */
  within<T>(name: FunctionName, work: () => T): T {
    return this.#running.run(name, work);
  }

  /** Counts a detail that AWS does not charge for, or that is a part of another count. */
  note(name: string, by = 1): void {
    this.#details[name] = (this.#details[name] ?? 0) + by;
  }

  /** Returns the counts since the last read. */
  read(): Counts {
    const counts = this.#counts;
    this.#counts = none();
    return counts;
  }

  /** Returns the details since the last read. */
  readDetails(): Details {
    const details = this.#details;
    this.#details = {};
    return details;
  }

  /** Timers start the function for due operations, except sweeps, which the twin counts too. */
  #spend(milliseconds: number, name: FunctionName = "due"): void {
    this.#counts.gigabyteMilliseconds += (milliseconds * functions[name].megabytes) / 1024;
  }
}
