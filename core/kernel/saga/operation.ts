import type { OperationId } from "../../id.ts";
import type { Outside } from "../../outside.ts";
import type { Failure } from "../object/failure.ts";
import type { StoredObject } from "../object/object.ts";
import type { OperatedKind } from "../object/traits.ts";

/** A change under way: its target, its progress, and what it waits for. */

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
export type OperationChange = (typeof changes)[number];

/**
 * One entry of the saga: a step's do under the step's name, its undo under `Undo <name>`. Times are RFC
 * 3339 on the deployment's clock; leases are in milliseconds of real time.
 */
export interface StepEntry {
  /** The entry's place in the list, from 0. */
  position: number;
  state: StepState;
  attempts: number;
  start_time?: string;
  end_time?: string;
  /** What the step waits for, or why it failed; for people. */
  message?: string;
  /**
   * When the step fails if it has not ended. The first attempt sets this time, and an outage extends
   * it; absent once the step has ended.
   */
  deadline?: string;
  /**
   * When the step should have ended; past this time the operation is flagged as stalled. The first
   * attempt sets this time; absent once the step has ended.
   */
  usual_end?: string;
  /** The system that the step works on and waits for, such as `DNS`. */
  system?: string;
  /** The system that keeps the step waiting, where that is not its own: a hub that does not answer. */
  blocked_by?: Outside;
  /** The call that was not answered at the last try, or was refused; tenants do not see it. */
  call?: string;
  /** Since when the step has waited. */
  waiting_since?: string;
  /** A recheck was requested while another was under way: one more follows. */
  again?: boolean;
  /** When to look at the world again, for changes that no report brings. */
  look_at?: string;
  /**
   * The task that waits for an answer, by the name of its token (`tokens.ts`); kept until the saga has
   * moved on.
   */
  token?: string;
  /**
   * The tasks whose attempts began before. A task can be delivered after the one that replaced it,
   * so the step's answer goes to all: only one of them still waits.
   */
  earlier_tokens?: string[];
  /** The kind of the error that the step failed with. With `token`, the answer may have to be sent again. */
  error?: string;
  /**
   * The attempt whose writes count: the one that began last. Absent while no attempt works, and once the
   * step has ended.
   */
  attempt?: string;
  /** The attempts that may still be running, each with the end of its lease. */
  leases?: Record<string, number>;
  /** Until when a call of an attempt that got no answer may still take effect. */
  unanswered?: number;
  /**
   * When the sweep has Step Functions call the step again. Of a step whose hub does not answer: its task is
   * kept instead of answered until then, or until the hub answers again, and its deadline stands still. Of
   * one in a phase that runs: Step Functions may not know its worker (`phase.ts`).
   */
  retry_at?: string;
  /** When the step last could not reach its system; absent once the system has answered. */
  away_at?: string;
  /** How long (ms) it could not be reached in all, while the step has waited. */
  away_for?: number;
}

export interface OperationTarget {
  kind: OperatedKind;
  id: string;
  name: string;
}

export interface OperationSpec {
  saga: string;
  change: OperationChange;
  target: OperationTarget;
}

export interface OperationStatus {
  state: OperationState;
  start_time?: string;
  end_time?: string;
  failure?: Failure;
  /** The minute from which the due index holds the operation; not later than it is due (`due.ts`). */
  found_from?: string;
  /** A step that takes longer than it should: since when it waits, when it should have ended, what it waits for. */
  stalled?: { step: string; since: string; usual_end: string; message: string };
}

export interface Operation extends StoredObject<"operation", OperationSpec, OperationStatus> {
  id: OperationId;
  /** The saga's steps from the start; undos are added when they are entered. */
  steps: Record<string, StepEntry>;
  /**
   * How the steps that it lists hang together in the definition that its execution began with (`plan.ts`);
   * absent before its begin, and where it began before plans were kept.
   */
  plan?: string;
  /** Whether the operation waits until the running operation of its target has ended. */
  queued: boolean;
  /** A request to stop; `preempted` when a deletion follows that undoes everything anyway. */
  cancel?: { at: string; by: string; preempted: boolean };
  /** Whether the claims of a failed create are kept for people to look at. */
  hold?: boolean;
  /**
   * Whether it continues with what an operation before it has left with the target. If it turns back, it takes
   * back all of that, also what is of steps to which it has not come itself.
   */
  adopts?: boolean;
  /** A request to continue from STUCK. */
  resume?: { at: string; by: string };
  /** The fence, raised when the saga turns back: a do that is still running must not write any more. */
  unwinding: boolean;
  /**
   * The error that the saga turned back on: of the step that failed first, not of those that failed
   * because of it.
   */
  failure?: Failure;
  /** What was seen of the target when the saga turned back. */
  diagnostics?: string[];
  /** When the operation is likely to be done, by the usual times of its steps: from the begin of the newest one. */
  estimate?: string;
  /** How long (ms) it usually takes from its first step on. */
  usually?: number;
  /** Whether the last sweep of the operation, after its end, has run. */
  swept?: boolean;
  /** When the sweep last started the execution again or asked for it. */
  checked_at?: string;
  /** Why the placement chose this hub or, while it has not, what it waits for; and which hubs it rejected. */
  placement?: {
    hub?: string;
    reason: string;
    rejected: { hub: string; reason: string }[];
    /** The place in the queue while the operation waits; 1 is the next. */
    position?: number;
    /** How far the placement came among many hubs; the next look continues from there. */
    walked?: { list: string; entry: string };
  };
}

/** How long a step may fail before it counts as stalled, however long it usually takes. */
const triedInVain = 10 * 60_000;

/** When an open step counts as stalled (RFC 3339): its usual time is over, or nothing has come of its tries for long. */
export function overdueFrom({
  state,
  usual_end,
  waiting_since,
  away_at,
}: StepEntry): string | undefined {
  const isTriedAgain = state === "RUNNING" && away_at !== undefined && waiting_since !== undefined;
  if (usual_end === undefined || !isTriedAgain) return usual_end;
  const given = new Date(Date.parse(waiting_since) + triedInVain).toISOString();
  return given < usual_end ? given : usual_end;
}

/** Whether the step has begun and not ended. */
export const isOpen = ({ state }: StepEntry): boolean => state === "RUNNING" || state === "WAITING";

export const isEnded = (operation: Operation): boolean =>
  operation.status.state === "SUCCEEDED" ||
  operation.status.state === "FAILED" ||
  operation.status.state === "CANCELLED";

/** How long after its acceptance an operation that has not started is started again. */
const startGrace = 60_000;
/** How long after its end an operation is swept a last time, to make sure that its end was published. */
export const endGrace = 60_000;
/** How long an answer may take to move the saga on before it is sent again. */
export const answerGrace = 30_000;
/** How long a running operation may go unchanged before the sweep asks for its execution. */
export const executionGrace = 15 * 60_000;

/**
 * When the sweep must look at this operation again (RFC 3339), or undefined for never. The sweep finds
 * through the due index whatever no report has brought.
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
    // An execution can end without a word to the operation; only this look finds that.
    times.push(later(lastWord(operation), executionGrace));
  }
  if (operation.cancel && !operation.unwinding) times.push(operation.cancel.at);
  for (const entry of Object.values(operation.steps)) {
    // An operation has one stalled step at a time. A step without a token is being tried again and has
    // no wait to measure.
    if (isOpen(entry) && !operation.status.stalled) times.push(overdueFrom(entry));
    if (entry.token === undefined) continue;
    if (entry.state === "WAITING") times.push(entry.look_at);
    if (isOpen(entry)) times.push(entry.retry_at ?? entry.deadline);
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
