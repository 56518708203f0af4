import { timestamp } from "../clock.ts";
import type { Deps } from "../deps.ts";
import type { Report } from "../hub/news.ts";
import { slotClass, wakeQueues } from "../placement/tickets.ts";
import type { Sagas } from "../saga/settle.ts";
import { wake } from "../saga/step.ts";
import { heartbeatKey } from "../store/keys.ts";
import { load } from "../store/records.ts";
import { changeObject } from "../store/rewrite.ts";
import { observe } from "./observe.ts";

/**
 * What a hub reports: status first, then the steps that wait for it; both read strongly
 * consistent, so that no wake-up is lost. Late, stale and repeated news is harmless.
 */
export async function takeReport(
  deps: Deps,
  sagas: Sagas,
  report: Report,
  fresh = false,
): Promise<void> {
  if (report.heartbeat) await takeHeartbeat(deps, report.hub);
  const clusters = new Set<string>();
  for (const news of report.news) {
    const cluster = await observe(deps, report.hub, news, fresh);
    if (cluster !== undefined) clusters.add(cluster);
  }
  for (const cluster of clusters) await wakeCluster(deps, sagas, cluster);
}

/** Lets the cluster's running operation see what has changed. */
export async function wakeCluster(deps: Deps, sagas: Sagas, id: string): Promise<void> {
  const cluster = await load(deps.store, "cluster", id);
  if (cluster?.operation) await wake(deps, sagas, cluster.operation);
}

async function takeHeartbeat(deps: Deps, id: string): Promise<void> {
  await deps.store.transact([{ put: { ...heartbeatKey(id), at: timestamp(deps.clock.now()) } }]);
  const hub = await load(deps.store, "hub", id);
  if (!hub || hub.status.state === "HUB_STATE_READY") return;
  await changeObject(deps, "hub", id, (current) =>
    current.status.state === "HUB_STATE_READY"
      ? undefined
      : { ...current, status: { state: "HUB_STATE_READY" } },
  );
  // Whoever waits for any hub at all may go on.
  await wakeQueues(deps, [slotClass]);
}
