import type { OperationId } from "../../id.ts";
import type { Outside } from "../../outside.ts";
import type { Failure } from "../object/failure.ts";
import type { StoredObject } from "../object/object.ts";
import type { OperatedKind } from "../object/traits.ts";

/** A change under way: what it changes, how far it is, what it waits for. */

export const operationStates = [
  "PENDING",
  "RUNNING",
  "SUCCEEDED",
  "FAILED",
  "CANCELLED",
  "STUCK",
] as const;
export type OperationState = (typeof operationStates)[number];

export const stepStates = [
  "PENDING",
  "RUNNING",
  "WAITING",
  "SUCCEEDED",
  "FAILED",
  "SKIPPED",
] as const;
export type StepState = (typeof stepStates)[number];

export const changes = ["CREATE", "UPDATE", "DELETE"] as const;
export type Change = (typeof changes)[number];

/**
 * One entry of the saga: a step's do under its name, its undo under `Undo <name>`. Times are RFC
 * 3339 on the deployment's clock, leases milliseconds of real time.
 */
export interface StepEntry {
  /** Its place in the list, from 0. */
  position: number;
  state: StepState;
  attempts: number;
  start_time?: string;
  end_time?: string;
  /** For people: what it waits for, or why it failed. */
  message?: string;
  /** Until it has ended. Absolute; set by the first attempt, and later by what an outage takes of its time. */
  deadline?: string;
  /** Until it has ended: when it should have; past it, the operation is flagged. Set by the first attempt. */
  usual_end?: string;
  /** What it works on and waits for, such as `DNS`. */
  system?: string;
  /** Who keeps it waiting, where that is not what it works on: a hub that does not answer. */
  blocked_by?: Outside;
  /** Since when it has waited. */
  waiting_since?: string;
  /** Asked to look while a look was under way: one more follows it. */
  again?: boolean;
  /** When to look at the world again, for what gives no news. */
  look_at?: string;
  /** The task that waits for an answer; kept until the saga has moved on. */
  token?: string;
  /** Failed with this kind; with `token`, the answer may have to be sent again. */
  error?: string;
  /** Attempts that may still be running: attempt to the end of its lease. */
  leases?: Record<string, number>;
  /** Until when what an attempt asked outside, and got no answer to, may still be done. */
  unanswered?: number;
  /**
   * Its hub is away, so its task is kept instead of answered: until then, or until the hub is back.
   * Its deadline stands still meanwhile.
   */
  retry_at?: string;
  /** When it last could not reach what it works on; absent once that has answered. */
  away_at?: string;
}

export interface OperationTarget {
  kind: OperatedKind;
  id: string;
  name: string;
}

export interface OperationSpec {
  saga: string;
  change: Change;
  target: OperationTarget;
}

export interface OperationStatus {
  state: OperationState;
  start_time?: string;
  end_time?: string;
  failure?: Failure;
  /** A step that takes longer than it should: since when it waits, and what blocks it. */
  stalled?: { step: string; since: string; message: string };
}

export interface Operation extends StoredObject<"operation", OperationSpec, OperationStatus> {
  id: OperationId;
  /** The saga's own steps from the start, undos when they are entered. */
  steps: Record<string, StepEntry>;
  /** Waits until the object's running operation has ended. */
  queued: boolean;
  /** Asked to stop; `preempted` when a delete follows that will undo everything anyway. */
  cancel?: { at: string; by: string; preempted: boolean };
  /** What a failed create has taken is kept for a look. */
  hold?: boolean;
  /** Asked to go on from STUCK. */
  resume?: { at: string; by: string };
  /** Raised when the saga turns back: a do that outlives it must not write any more. */
  unwinding: boolean;
  /** What it turned back on: the first step that failed, not what failed in its wake. */
  failure?: Failure;
  /** What was seen of its target when it turned back. */
  diagnostics?: string[];
  /** When it will be done, by the usual length of its steps. */
  estimate?: string;
  /** The last look after its end was taken. */
  swept?: boolean;
  /** When the sweep last looked after it: started it again, or asked for its execution. */
  checked_at?: string;
  /** Why the placement chose as it did; the hubs it rejected. */
  placement?: {
    hub?: string;
    reason: string;
    rejected: { hub: string; reason: string }[];
    /** While it waits: its place in line, 1 for the next. */
    position?: number;
  };
}

export const isEnded = (operation: Operation): boolean =>
  operation.status.state === "SUCCEEDED" ||
  operation.status.state === "FAILED" ||
  operation.status.state === "CANCELLED";

/** How long after its acceptance an operation that has not started is started again. */
const startGrace = 60_000;
/** How long after its end the last look is taken: was the end told to everyone? */
const endGrace = 60_000;
/** How long an answer may take to move the saga on before it is sent again. */
export const answerGrace = 30_000;
/** How long a running operation may stay without a word before its execution is looked at. */
export const executionGrace = 15 * 60_000;

/**
 * When somebody must look at this operation again (RFC 3339), or undefined for never: the due
 * index holds it under this time. Everything that news may fail to bring is found through it.
 */
export function dueAt(operation: Operation): string | undefined {
  if (operation.queued) return undefined;
  if (operation.status.state === "STUCK") {
    const { resume, cancel } = operation;
    return resume?.at ?? (cancel?.preempted ? cancel.at : undefined);
  }
  const later = (time: string | undefined, ms: number) =>
    time === undefined ? undefined : new Date(Date.parse(time) + ms).toISOString();
  const times: (string | undefined)[] = [];
  if (operation.status.state === "PENDING") {
    times.push(later(lastWord(operation), startGrace));
  } else if (isEnded(operation)) {
    return operation.swept ? undefined : later(operation.status.end_time, endGrace);
  } else {
    // An execution that ended unseen leaves nothing else to wait for.
    times.push(later(lastWord(operation), executionGrace));
  }
  if (operation.cancel && !operation.unwinding) times.push(operation.cancel.at);
  for (const entry of Object.values(operation.steps)) {
    const isOpen = entry.state === "WAITING" || entry.state === "RUNNING";
    // One flag at a time; what is tried again holds no token meanwhile.
    if (isOpen && !operation.status.stalled) times.push(entry.usual_end);
    if (entry.token === undefined) continue;
    if (entry.state === "WAITING") times.push(entry.look_at, entry.deadline);
    if (entry.state === "RUNNING") times.push(entry.retry_at ?? entry.deadline);
    if (["SUCCEEDED", "SKIPPED", "FAILED"].includes(entry.state))
      times.push(later(entry.end_time, answerGrace));
  }
  return times.filter((time) => time !== undefined).sort()[0];
}

const lastWord = ({ event, checked_at }: Operation): string =>
  checked_at !== undefined && checked_at > event.time ? checked_at : event.time;

declare module "../object/object-of.ts" {
  interface ObjectOf {
    operation: Operation;
  }
}
