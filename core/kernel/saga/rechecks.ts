import type { OperationId } from "../../id.ts";
import { type DelayQueue, queueFor } from "../delay-queue.ts";
import type { Deps } from "../deps.ts";
import { load } from "../object/records.ts";
import { isAtWork } from "./leases.ts";
import type { Operation, StepEntry } from "./operation.ts";

/** Requests rechecks of waiting steps from workers that reach the system. */
export interface Rechecks {
  request(operation: OperationId, step: string): Promise<void>;
}

/**
 * Has a worker let the waits of an operation decide again, for who may report and not end steps: the records are
 * written already.
 */
export interface Wakes {
  request(operation: OperationId): Promise<void>;
}

/** A step that waits for the time of its next look. */
export interface Recheck {
  operation: OperationId;
  step: string;
}

/**
 * The queue of rechecks whose time is known, so that a step is looked at when its time comes: it has
 * `recheckDue` called for the step.
 */
export type RecheckQueue = DelayQueue<Recheck>;

declare module "../deps.ts" {
  interface Deps {
    rechecks: Rechecks;
    wakes: Wakes;
    recheckQueue: RecheckQueue;
  }
}

/** Called after each write of an operation: queues the rechecks of steps that have a new time to look. */
export async function queueRechecks(
  deps: Deps,
  before: Operation | undefined,
  after: Operation,
): Promise<void> {
  for (const [step, entry] of Object.entries(after.steps)) {
    const time = lookTime(entry);
    if (time === undefined || time === lookTime(before?.steps[step])) continue;
    await queueFor(deps, deps.recheckQueue, Date.parse(time), { operation: after.id, step });
  }
}

/** Called when a message of the queue arrives. The record decides whether the step is looked at. */
export async function recheckDue(deps: Deps, { operation, step }: Recheck): Promise<void> {
  const entry = (await load(deps, "operation", operation))?.steps[step];
  if (entry && isLookDue(deps, entry)) await deps.rechecks.request(operation, step);
}

/** Whether the time has come to look at a step that waits, and nobody looks at it already. */
export function isLookDue(deps: Pick<Deps, "clock" | "wall">, entry: StepEntry): boolean {
  const time = lookTime(entry);
  if (time === undefined || Date.parse(time) > deps.clock.now()) return false;
  return !isAtWork(deps, entry);
}

const lookTime = (entry: StepEntry | undefined): string | undefined =>
  entry?.state === "WAITING" && entry.token !== undefined ? entry.look_at : undefined;
