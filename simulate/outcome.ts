import type { Counts } from "./counts.ts";
import type { HotPoolOutcome } from "./hot-pool/run.ts";
import type { ServersOutcome } from "./servers/run.ts";

/** What came of a simulation. */
export interface Outcome {
  /** How many arrived, accepted or not. */
  orders: number;
  /** Requests by sort. */
  accepted: Counts;
  refused: Counts;
  /** Operations, by saga and state. */
  ended: Counts;
  /** Why operations failed. */
  failures: Counts;
  /** What went wrong, and how many calls met a system that was unreachable. */
  faults: Counts;
  outages: Counts;
  /** Milliseconds of virtual time, by cause. */
  waits: Counts;
  /** Where operations were stuck and why: after an injected refusal, and for other reasons. */
  stuck: Counts;
  unexpected: Counts;
  /** Accepted orders and changes that came to no end, or to none that anybody asked for. */
  lost: readonly string[];
  /** What is left behind, or counted wrongly. */
  leaked: readonly string[];
  /** Steps that did not keep to their times. */
  late: readonly string[];
  /** Requests that the API answered with an error of its own. */
  broken: readonly string[];
  /** In a world of servers that are off. */
  hotPool?: HotPoolOutcome;
  /** In a world of servers that tenants order whole. */
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
