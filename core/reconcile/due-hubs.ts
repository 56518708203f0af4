import { minutes } from "../clock.ts";
import { objectKey } from "../kernel/object/keys.ts";
import { objectIn } from "../kernel/object/records.ts";
import type { OperatedKind } from "../kernel/object/traits.ts";
import { awaitsNews } from "../kernel/saga/entry.ts";
import type { OperatedDeps } from "../kernel/saga/operated.ts";
import { operatingOf } from "../kernel/saga/operated.ts";
import type { Operation, StepEntry } from "../kernel/saga/operation.ts";
import { dueFor } from "../ports/sweep-times.ts";
import { heartbeatsOf, isSilentAt } from "./heartbeats.ts";
import { operationsUnderWay } from "./under-way.ts";

/**
 * The hubs that a round of sweeps reads: hubs whose sweep is due, hubs whose agent is silent or cannot watch every
 * kind, and hubs whose reports a step has awaited for long, because the reports may have been lost. So a hub whose
 * agent reports, and that no step awaits for long, costs nothing until its sweep is due.
 */
export async function hubsDue(
  deps: Pick<OperatedDeps, "store" | "kinds" | "clock" | "operated">,
): Promise<string[]> {
  const now = deps.clock.now();
  const due = (await dueFor(deps, "objects")).map(({ id }) => id);
  const untold = (await heartbeatsOf(deps)).filter(
    (heartbeat) => isSilentAt(heartbeat, now) || heartbeat.isUnobserved,
  );
  return [...new Set([...due, ...untold.map(({ hub }) => hub), ...(await awaited(deps))])];
}

/** How long a step waits for reports of its hub before the hub is read. */
const newsPatience = minutes(5);

/** The hubs whose reports a step has awaited for long. */
async function awaited(
  deps: Pick<OperatedDeps, "store" | "kinds" | "clock" | "operated">,
): Promise<string[]> {
  const since = deps.clock.now() - newsPatience;
  const waiting = (await operationsUnderWay(deps)).filter(({ steps }) =>
    Object.values(steps).some((entry) => awaitsNews(entry) && hasWaitedSince(entry, since)),
  );
  const targets = await deps.store.getMany(waiting.map(targetKey));
  return targets.flatMap((item) => {
    if (!item) return [];
    const target = objectIn<OperatedKind>(deps.kinds, item);
    const place = operatingOf(deps, target.kind).placeOf?.(target, "hub");
    return place ? [place.id] : [];
  });
}

const hasWaitedSince = ({ waiting_since }: StepEntry, since: number): boolean =>
  waiting_since !== undefined && Date.parse(waiting_since) <= since;

const targetKey = ({ spec: { target } }: Operation) => objectKey(target.kind, target.id);
