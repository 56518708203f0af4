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

const none = (): Counts =>
  Object.fromEntries(counted.map((name) => [name, 0])) as unknown as Counts;

/** What is in `counts` beyond what would have been anyway; whole numbers. */
export function beyond(counts: Counts, anyway: Counts): Counts {
  const difference = none();
  for (const name of counted) difference[name] = Math.round(counts[name] - anyway[name]);
  return difference;
}

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
