import { timestamp } from "../clock.ts";
import { heartbeatKey } from "../kernel/object/hub-keys.ts";
import { load } from "../kernel/object/records.ts";
import type { Sagas } from "../kernel/saga/settle.ts";
import { wake } from "../kernel/saga/step.ts";
import { isWritten } from "../kernel/store/optimistically.ts";
import { exists } from "../kernel/store/store.ts";
import { heartbeatTimeout } from "../placement/hubs/hub.ts";
import { onHubChanged } from "../placement/reserve/capacity-freed.ts";
import type { Report } from "../ports/hub/news.ts";
import type { Concerned, ObserveDeps } from "../ports/hub/observer.ts";
import { isHeard, unobservedSince } from "../resources/hub/model.ts";
import { requestSweep } from "../resources/hub/sweep-requests.ts";
import { observe } from "./observe.ts";
import { noteHeard, noteObserved } from "./reach.ts";
import { eachRunningOf } from "./under-way.ts";

/**
 * Processes a hub's report: writes the status first, then wakes the steps that wait for it. Both reads are strongly
 * consistent, so that no wake is lost. Late, stale and repeated reports are harmless. `readAt` (ms) is when a sweep
 * read the objects directly.
 */
export async function takeReport(
  deps: ObserveDeps,
  sagas: Sagas,
  report: Report,
  readAt?: number,
): Promise<void> {
  if (report.heartbeat) await takeHeartbeat(deps, report);
  const concerned: (Concerned | undefined)[] = [];
  for (const news of report.news) concerned.push(await observe(deps, report.hub, news, readAt));
  await wakeAll(deps, sagas, concerned);
}

/** Wakes the running operation of each of these objects, once. */
export const wakeAll = (
  deps: ObserveDeps,
  sagas: Sagas,
  concerned: (Concerned | undefined)[],
): Promise<void> => eachRunningOf(deps, concerned, (operation) => wake(deps, sagas, operation));

async function takeHeartbeat(
  deps: ObserveDeps,
  { hub: id, agent_version, unwatched = [] }: Report,
): Promise<void> {
  const hub = await load(deps, "hub", id);
  if (!hub) {
    deps.log.warn({ hub: id }, "a heartbeat of a hub that is not registered");
    return;
  }
  const now = deps.clock.now();
  const last = await deps.store.get(heartbeatKey(id));
  const heartbeat = {
    ...heartbeatKey(id),
    at: timestamp(now),
    version: agent_version ?? null,
    ...(unwatched.length > 0 && { is_unobserved: true }),
  };
  // The item is created with its hub, and deleted with it.
  if (!(await isWritten(deps.store, [{ put: heartbeat, if: exists }]))) return;
  // The silence may be unrecorded, or recorded since the hub was read.
  const wasSilent =
    typeof last?.at !== "string" || deps.clock.now() - Date.parse(last.at) > heartbeatTimeout;
  // Repeated with each report, in case an earlier call was lost.
  if (wasSilent || !isHeard(hub)) await noteHeard(deps, id);
  const unobserved = unobservedSince(hub);
  if (unwatched.length > 0 || unobserved !== undefined)
    await noteObserved(deps, id, unwatched, unobserved ?? timestamp(now));
  if (!wasSilent) return;
  await onHubChanged(deps, id);
  // An agent that lost its queue does not repeat earlier reports.
  await requestSweep(deps.store, id);
}
