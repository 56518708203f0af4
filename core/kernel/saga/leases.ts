import type { Deps } from "../deps.ts";
import type { WorkerDeps } from "./context.ts";
import type { StepEntry } from "./operation.ts";

/** The leases of a step's attempts: until when each may have effects. Pure, as `entry.ts` is. */

/**
 * A lease lasts as long as a worker may run, plus a margin, so that the platform ends the worker before the lease ends.
 */
export const leaseEnd = (deps: Pick<WorkerDeps, "wall" | "workerTimeout">): number =>
  deps.wall.now() + deps.workerTimeout + leaseMargin;
const leaseMargin = 2000;

export function liveLeases(deps: Pick<Deps, "wall">, entry: StepEntry): Record<string, number> {
  return Object.fromEntries(
    Object.entries(entry.leases ?? {}).filter(([, end]) => end > deps.wall.now()),
  );
}

/** Whether an attempt works on the step. */
export const isAtWork = (deps: Pick<Deps, "wall">, entry: StepEntry): boolean =>
  entry.attempt !== undefined && entry.attempt in liveLeases(deps, entry);

/** The entry after an attempt has ended and returned its lease. */
export function released(entry: StepEntry, attempt: string): StepEntry {
  const { away_at: _, ...rest } = without(entry, attempt);
  return rest;
}

/** The entry without an attempt whose writes no longer count, and without its lease. */
function without(entry: StepEntry, attempt: string): StepEntry {
  const { leases: { [attempt]: _, ...others } = {}, attempt: current, ...rest } = entry;
  return {
    ...rest,
    ...(current !== undefined && current !== attempt && { attempt: current }),
    ...(Object.keys(others).length > 0 && { leases: others }),
  };
}

/**
 * The entry after an attempt whose last call may be unanswered. The call may still take effect until the attempt's
 * lease ends.
 */
export function unanswered(entry: StepEntry, attempt: string): StepEntry {
  const until = Math.max(entry.leases?.[attempt] ?? 0, entry.unanswered ?? 0);
  return { ...without(entry, attempt), unanswered: until };
}

/** Whether effects of the step's attempts may still land. */
export const mayStillLand = (deps: Pick<Deps, "wall">, entry: StepEntry): boolean =>
  Object.keys(liveLeases(deps, entry)).length > 0 || (entry.unanswered ?? 0) > deps.wall.now();
