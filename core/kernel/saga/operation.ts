import { timestamp } from "../../clock.ts";
import type { OperationId } from "../../id.ts";
import type { Outside } from "../../outside.ts";
import type { Failure } from "../object/failure.ts";
import type { StoredObject } from "../object/object.ts";
import type { OperatedKind } from "../object/traits.ts";

/** An operation: a change in progress, with its target, its progress, and its waits. */

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
  /** The reason of the step's wait or failure, for people to read. */
  message?: string;
  /**
   * When the step fails if it has not ended. The first attempt sets this time, and an outage extends
   * it; absent once the step has ended.
   */
  deadline?: string;
  /**
   * The usual end of the step; past this time the operation is flagged as stalled. The first attempt sets it; absent
   * once the step has ended.
   */
  usual_end?: string;
  /** The system that the step works on and waits for, such as `DNS`. */
  system?: string;
  /** The system that keeps the step waiting, where that is not its own: an unreachable hub. */
  blocked_by?: Outside;
  /** The call that got no answer at the last try, or was refused; hidden from tenants. */
  call?: string;
  /** The last attempts that failed, the newest first: at most five. They remain when the step ends. */
  failed_attempts?: FailedAttempt[];
  /** Since when the step has waited. */
  waiting_since?: string;
  /** A recheck was requested during another one, so one more follows. */
  again?: boolean;
  /** The time of the next recheck, for changes that no report announces. */
  look_at?: string;
  /** The waiting task, by the name of its token (`tokens.ts`); kept until the saga has moved on. */
  token?: string;
  /**
   * The tasks of earlier attempts. A task can be delivered after the one that replaced it, so the step's answer goes to
   * all: only one of them still waits.
   */
  earlier_tokens?: string[];
  /**
   * The kind of the error that the step failed with. While there is a `token`, the answer may have to be sent again.
   */
  error?: string;
  /** The attempt whose writes count: the newest. Absent while no attempt works, and once the step has ended. */
  attempt?: string;
  /** The attempts that may still be running, each with the end of its lease. */
  leases?: Record<string, number>;
  /** The time until which the last unanswered call may still take effect. */
  unanswered?: number;
  /**
   * When the sweep has Step Functions call the step again. For a step whose hub is unreachable: its task is kept until
   * then, or until the hub answers again, and its deadline is extended meanwhile. For a step of a running phase: Step
   * Functions may not have called its worker (`phase.ts`).
   */
  retry_at?: string;
  /** When the step last failed to reach its system; absent once the system has answered. */
  away_at?: string;
  /** How long (ms) the system was unreachable in all, during the step's wait. */
  away_for?: number;
}

/** An attempt that failed. */
export interface FailedAttempt {
  time: string;
  /** The reason, for people to read. */
  message: string;
  /** The call that was refused or got no answer; hidden from tenants. */
  call?: string;
  /** The HTTP status of the refusal; hidden from tenants. */
  status?: number;
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
  /** The minute from which the due index holds the operation; not later than its due time (`due.ts`). */
  found_from?: string;
  /** The step that exceeds its usual time: the start of its wait, its expected end, and the reason of the wait. */
  stalled?: { step: string; since: string; usual_end: string; message: string };
}

export interface Operation extends StoredObject<"operation", OperationSpec, OperationStatus> {
  id: OperationId;
  /** The saga's steps from the start; undos are added when they are entered. */
  steps: Record<string, StepEntry>;
  /**
   * The structure of its listed steps in the definition that its execution began with (`plan.ts`); absent before its
   * begin, and for operations that began before plans were stored.
   */
  plan?: string;
  /** Whether the operation waits until the running operation of its target has ended. */
  queued: boolean;
  /** A request to stop; `preempted`: a deletion follows and undoes everything. */
  cancel?: { at: string; by: string; preempted: boolean };
  /** Whether the claims of a failed create are held, so that people can inspect them. */
  hold?: boolean;
  /**
   * Whether it adopts the remains of an earlier operation on the target. If it turns back, it undoes these too,
   * including steps that it has not reached itself.
   */
  adopts?: boolean;
  /** A request to continue from STUCK. */
  resume?: { at: string; by: string };
  /** The fence, raised when the saga turns back: a do that still runs must not write any more. */
  unwinding: boolean;
  /** The error that made the saga turn back: of the step that failed first, not of steps that failed because of it. */
  failure?: Failure;
  /** The last observations of the target when the saga turned back. */
  diagnostics?: string[];
  /**
   * When the operation is likely to end, by the usual times of its steps, counted from the begin of the newest step.
   */
  estimate?: string;
  /** How long (ms) it usually takes from its first step on. */
  usually?: number;
  /** Whether the last sweep of the operation, after its end, has run. */
  swept?: boolean;
  /** When the sweep last started the execution again or read its state. */
  checked_at?: string;
  /** The reason for the placement's choice of this hub, or for its wait; and the hubs that it rejected. */
  placement?: {
    hub?: string;
    reason: string;
    rejected: { hub: string; reason: string }[];
    /** The place in the queue while the operation waits; 1 is the next. */
    position?: number;
    /** How far the placement has searched the lists of hubs; the next recheck continues from there. */
    walked?: { list: string; entry: string };
  };
}

/** How long a step may fail before it counts as stalled, whatever its usual time. */
const triedInVain = 10 * 60_000;

/** When an open step counts as stalled (RFC 3339): its usual time is over, or its tries have failed for long. */
export function overdueFrom({
  state,
  usual_end,
  waiting_since,
  away_at,
}: StepEntry): string | undefined {
  const isTriedAgain = state === "RUNNING" && away_at !== undefined && waiting_since !== undefined;
  if (usual_end === undefined || !isTriedAgain) return usual_end;
  const given = timestamp(Date.parse(waiting_since) + triedInVain);
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
/** How long the saga may take to continue after an answer, before the answer is sent again. */
export const answerGrace = 30_000;
/** How long a running operation may be unchanged before the sweep reads the state of its execution. */
export const executionGrace = 15 * 60_000;

/**
 * The time at which the sweep must check this operation again (RFC 3339); undefined for never. Through the due index,
 * the sweep finds changes that no report announced.
 */
export function dueAt(operation: Operation): string | undefined {
  if (operation.queued) return undefined;
  if (operation.status.state === "STUCK") {
    const { resume, cancel } = operation;
    return resume?.at ?? (cancel?.preempted ? cancel.at : undefined);
  }
  const later = (time: string | undefined, ms: number) =>
    time === undefined ? undefined : timestamp(Date.parse(time) + ms);
  const times: (string | undefined)[] = [];
  if (operation.status.state === "PENDING") {
    times.push(later(lastWord(operation), startGrace));
  } else if (isEnded(operation)) {
    return operation.swept ? undefined : later(operation.status.end_time, endGrace);
  } else {
    // An execution can end without a write to the operation, which only this check finds.
    times.push(later(lastWord(operation), executionGrace));
  }
  if (operation.cancel && !operation.unwinding) times.push(operation.cancel.at);
  for (const entry of Object.values(operation.steps)) {
    // An operation has one stalled step at a time. A step without a token is between two attempts and does not
    // wait.
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
