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
  "relayBatches",
  "storeCalls",
  "awsCalls",
  "outsideCalls",
] as const;
export type Counts = Record<(typeof counted)[number], number>;

export const none = (): Counts =>
  Object.fromEntries(counted.map((name) => [name, 0])) as unknown as Counts;

/** Each count from `a` and `b`. */
export const combined = (a: Counts, b: Counts, by: (a: number, b: number) => number): Counts =>
  Object.fromEntries(counted.map((name) => [name, by(a[name], b[name])])) as unknown as Counts;

export class Meter {
  #counts = none();

  add(what: keyof Counts, by = 1): void {
    this.#counts[what] += by;
  }

  /** What was counted since it was last read. */
  read(): Counts {
    const counts = this.#counts;
    this.#counts = none();
    return counts;
  }
}
