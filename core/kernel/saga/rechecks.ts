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

/** What a function has that requests rechecks. */
export interface RecheckDeps extends Deps {
  rechecks: Rechecks;
}

/**
 * Has a worker check the waits of an operation again, for callers that may write reports but not end steps. The
 * records are written before the call.
 */
export interface Wakes {
  request(operation: OperationId): Promise<void>;
}

/** A step that waits until its next recheck. */
export interface Recheck {
  operation: OperationId;
  step: string;
}

/** The queue of rechecks with a known time: it calls `recheckDue` for a step when that time comes. */
export type RecheckQueue = DelayQueue<Recheck>;

/** Called after each write of an operation: queues a recheck for each step with a new time to look. */
export async function queueRechecks(
  deps: Deps & { recheckQueue: RecheckQueue },
  before: Operation | undefined,
  after: Operation,
): Promise<void> {
  for (const [step, entry] of Object.entries(after.steps)) {
    const time = lookTime(entry);
    if (time === undefined || time === lookTime(before?.steps[step])) continue;
    await queueFor(deps, deps.recheckQueue, Date.parse(time), { operation: after.id, step });
  }
}

/** Called when a message of the queue arrives. The record decides whether the recheck is made. */
export async function recheckDue(deps: RecheckDeps, { operation, step }: Recheck): Promise<void> {
  const entry = (await load(deps, "operation", operation))?.steps[step];
  if (entry && isLookDue(deps, entry)) await deps.rechecks.request(operation, step);
}

/** Whether the time of a waiting step's look has come, and no attempt is at work. */
export function isLookDue(deps: Pick<Deps, "clock" | "wall">, entry: StepEntry): boolean {
  const time = lookTime(entry);
  if (time === undefined || Date.parse(time) > deps.clock.now()) return false;
  return !isAtWork(deps, entry);
}

const lookTime = (entry: StepEntry | undefined): string | undefined =>
  entry?.state === "WAITING" && entry.token !== undefined ? entry.look_at : undefined;
