import type { Counts } from "./counts.ts";
import type { HotPoolOutcome } from "./hot-pool/run.ts";
import type { ServersOutcome } from "./servers/run.ts";

/** The outcome of a simulation. */
export interface Outcome {
  /** The number that arrived, accepted or not. */
  orders: number;
  /** Requests by name. */
  accepted: Counts;
  refused: Counts;
  /** Operations, by saga and state. */
  ended: Counts;
  /** Why operations failed. */
  failures: Counts;
  /** The numbers of faults, and of calls to unreachable systems. */
  faults: Counts;
  outages: Counts;
  /** Milliseconds of virtual time, by cause. */
  waits: Counts;
  /** Where operations were stuck, and why: after an injected refusal, and for other reasons. */
  stuck: Counts;
  unexpected: Counts;
  /** Accepted orders and changes without an end, or with an end that nobody requested. */
  lost: readonly string[];
  /** Things that are left, or are counted wrongly. */
  leaked: readonly string[];
  /** Steps that exceeded their deadlines. */
  late: readonly string[];
  /** Requests that failed with a server error (5xx). */
  broken: readonly string[];
  /** The outcome in a world of servers that are off. */
  hotPool?: HotPoolOutcome;
  /** The outcome in a world of servers that tenants order whole. */
  servers?: ServersOutcome;
  cpuSeconds: number;
  trace: string;
}

/** Whether it found a defect. */
export function isFailing(outcome: Outcome): boolean {
  const { lost, leaked, late, broken, unexpected, hotPool, servers } = outcome;
  const { wrong = [], unwiped = [], crossed = [], touched = [], notKept = [] } = servers ?? {};
  const ours = [lost, leaked, late, broken, Object.keys(unexpected)];
  return [...ours, hotPool?.wrong ?? [], wrong, unwiped, crossed, touched, notKept].some(
    ({ length }) => length > 0,
  );
}
