import type { AppError } from "../../error.ts";
import type { Outside } from "../../outside.ts";
import type { Deps } from "../deps.ts";
import type { Attempt } from "./attempt.ts";
import { Away } from "./away.ts";
import {
  awaitsNews,
  entryOf,
  isCurrent,
  parked,
  parkedWait,
  tokensOf,
  withEntry,
} from "./entry.ts";
import { isAtWork, unanswered } from "./leases.ts";
import { isOpen, type Operation, type StepEntry } from "./operation.ts";
import { actionsOf, type Shape, type Zone, zoneOfAction } from "./saga.ts";
import type { SettleDeps } from "./settle.ts";
import { edit, skipWaits } from "./settle.ts";

/**
 * A step whose hub is known to be unreachable keeps its task instead of answering Unavailable: so an outage costs no
 * tries, and the step continues as soon as a sweep finds the hub reachable.
 */

/** Ends an attempt whose hub is unreachable, and keeps the step's task. */
export async function park(deps: SettleDeps, attempt: Attempt, error: AppError): Promise<void> {
  const { name, saga } = attempt;
  const after = await edit(deps, attempt.operation.id, (operation) => {
    const entry = entryOf(operation, name);
    const free = unanswered(entry, attempt.id);
    const keeps = isOpen(entry) && isCurrent(entry, attempt.id);
    return withEntry(operation, name, keeps ? parked(deps, free, error) : free);
  });
  // A deletion may have been accepted meanwhile.
  await skipWaits(deps, saga, after);
}

/**
 * Keeps the tasks of the steps of a zone that wait for reports of a system that has been unreachable since then (RFC
 * 3339), so that their deadlines are extended too. A step with planned rechecks finds out by itself.
 */
export async function parkWaits(
  deps: Deps,
  saga: Shape,
  operation: Operation,
  { zone, from, since }: { zone: Zone; from: Outside; since: string },
): Promise<void> {
  const inZone = [...actionsOf(saga)].flatMap(([name, { action }]) =>
    zoneOfAction(action) === zone ? [name] : [],
  );
  const error = new Away(from);
  const kept = (before: Operation) =>
    inZone.reduce((current, name) => {
      const entry = entryOf(current, name);
      const waits = awaitsNews(entry) && entry.retry_at === undefined;
      return waits ? withEntry(current, name, parkedWait(deps, entry, error, since)) : current;
    }, before);
  await edit(deps, operation.id, kept, operation);
}

/**
 * Has Step Functions call again the steps whose hub was unreachable. Safe to repeat. The next attempt extends the
 * step's deadline (`begun` in entry.ts).
 */
export async function unpark(deps: SettleDeps, { steps }: Operation): Promise<void> {
  for (const entry of Object.values(steps))
    if (entry.away_at !== undefined) await callAgain(deps, entry);
}

/** Has Step Functions call a step with a kept task again, unless an attempt works on it. */
export async function callAgain(deps: SettleDeps, entry: StepEntry): Promise<void> {
  if (entry.retry_at === undefined || isAtWork(deps, entry)) return;
  for (const token of tokensOf(entry))
    await deps.workflow.fail(token, "Unavailable", entry.message ?? "");
}
