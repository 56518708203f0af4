import { timestamp } from "../clock.ts";
import type { Deps } from "../kernel/deps.ts";
import { heartbeatKey } from "../kernel/object/keys.ts";
import { load } from "../kernel/object/records.ts";
import type { Sagas } from "../kernel/saga/settle.ts";
import { wake } from "../kernel/saga/step.ts";
import { onHubChanged } from "../placement/capacity-freed.ts";
import { heartbeatTimeout } from "../placement/hub.ts";
import type { Report } from "../ports/hub/news.ts";
import { isHeard } from "../resources/hub/model.ts";
import { observe } from "./observe.ts";
import { noteHeard } from "./reach.ts";

/**
 * Takes a hub's report: writes status first, then wakes the steps that wait for it. Both reads are
 * strongly consistent, so that no wake-up is lost. Late, stale and repeated reports are harmless.
 * `readAt` (ms) is when a sweep read the objects directly.
 */
export async function takeReport(
  deps: Deps,
  sagas: Sagas,
  report: Report,
  readAt?: number,
): Promise<void> {
  if (report.heartbeat) await takeHeartbeat(deps, report);
  const clusters = new Set<string>();
  for (const news of report.news) {
    const cluster = await observe(deps, report.hub, news, readAt);
    if (cluster !== undefined) clusters.add(cluster);
  }
  for (const cluster of clusters) await wakeCluster(deps, sagas, cluster);
}

/** Lets the cluster's running operation decide again. */
export async function wakeCluster(deps: Deps, sagas: Sagas, id: string): Promise<void> {
  const cluster = await load(deps, "cluster", id);
  if (cluster?.operation) await wake(deps, sagas, cluster.operation);
}

async function takeHeartbeat(deps: Deps, { hub: id, agent_version }: Report): Promise<void> {
  const hub = await load(deps, "hub", id);
  if (!hub) {
    deps.log.warn({ hub: id }, "a heartbeat of a hub that is not registered");
    return;
  }
  const now = deps.clock.now();
  const last = await deps.store.get(heartbeatKey(id));
  const heartbeat = { ...heartbeatKey(id), at: timestamp(now), version: agent_version ?? null };
  await deps.store.transact([{ put: heartbeat }]);
  // Called each time, which makes up for a record that was lost.
  if (!isHeard(hub)) await noteHeard(deps, id);
  // Nobody may have noticed that the agent was silent.
  const silent = typeof last?.at !== "string" || now - Date.parse(last.at) > heartbeatTimeout;
  if (silent) await onHubChanged(deps, id);
}
