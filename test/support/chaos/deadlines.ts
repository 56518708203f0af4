import { isOpen } from "../../../core/kernel/saga/entry.ts";
import type { Operation, StepEntry } from "../../../core/kernel/saga/operation.ts";
import { type ActionShape, actionsOf, outageLimit } from "../../../core/kernel/saga/saga.ts";
import { sagas } from "../../../statemachines/index.ts";
import { systems } from "../../../statemachines/steps/systems.ts";

/**
 * Whether an operation keeps to the times of its saga's table. A step may be open until its deadline,
 * which stands still while its system is away, at most until a day after the step began. Only who waits
 * for hosts may come to that: nothing else is short.
 */

/** How long after its time a step may end: the sweep comes every ten seconds, and a worker may be at it. */
const grace = 120_000;

/** `resumed`: a person had it go on, so that its steps had their full time again. */
export function late(operation: Operation, now: number, resumed: boolean): string[] {
  const saga = sagas[operation.spec.saga];
  if (!saga) return [`there is no saga ${operation.spec.saga}`];
  const rows = actionsOf(saga);
  return Object.entries(operation.steps).flatMap(([name, entry]) => {
    const row = rows.get(name);
    const why = row && lateStep(row.action, entry, now, resumed);
    return why ? [`${operation.id}, ${saga.name}, ${name}: ${why}`] : [];
  });
}

function lateStep(
  { deadline, system }: ActionShape,
  entry: StepEntry,
  now: number,
  resumed: boolean,
): string | undefined {
  if (entry.error === "DeadlineExceeded" && system !== systems.placement)
    return `ran out of its time: ${entry.message}`;
  if (entry.start_time === undefined || resumed) return undefined;
  const began = Date.parse(entry.start_time);
  const latest = began + Math.max(deadline, outageLimit) + grace;
  const isAway = entry.away_at !== undefined || entry.retry_at !== undefined;
  if (isOpen(entry)) {
    const own = entry.deadline === undefined || isAway ? latest : Date.parse(entry.deadline);
    return now > Math.min(latest, own + grace) ? "is open past its deadline" : undefined;
  }
  const end = Date.parse(entry.end_time ?? entry.start_time);
  return end > latest ? `was open for ${(end - began) / 60_000} minutes` : undefined;
}
