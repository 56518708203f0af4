import type { Deps } from "../deps.ts";
import { isKind } from "../error.ts";
import { clusterLabel } from "../model/cluster.ts";
import { heartbeatTimeout } from "../model/hub.ts";
import type { Sagas } from "../saga/settle.ts";
import { heartbeatKey, hubPartition } from "../store/keys.ts";
import { objectIn } from "../store/records.ts";
import { changeObject } from "../store/rewrite.ts";
import { refreshCluster } from "./refresh.ts";
import { takeReport, wakeCluster } from "./report.ts";

/**
 * One hub's backstop: reads all of it, writes what it saw, wakes what its agent's news missed. A
 * hub that cannot be asked keeps its orders as they are; one that is silent as well is UNREACHABLE.
 */
export async function sweepHub(deps: Deps, sagas: Sagas, hub: string): Promise<void> {
  try {
    const client = await deps.hubs.client(hub);
    const news = await client.readAll();
    await takeReport(deps, sagas, { hub, heartbeat: false, news }, true);
    const there = new Set(
      news.flatMap((item) =>
        item.kind === "HostedCluster" ? [item.object.metadata.labels?.[clusterLabel]] : [],
      ),
    );
    for (const cluster of await clustersOn(deps, hub)) {
      if (there.has(cluster.id) || cluster.observed.control_plane?.gone !== false) continue;
      await refreshCluster(deps, cluster.id);
      await wakeCluster(deps, sagas, cluster.id);
    }
  } catch (error) {
    if (!isKind(error, "Unavailable")) throw error;
    await noteSilence(deps, hub, error.message);
  }
}

async function clustersOn(deps: Deps, hub: string) {
  const found = [];
  let cursor: string | undefined;
  do {
    const page = await deps.store.query({
      index: "g3",
      pk: hubPartition(hub, "cluster"),
      ...(cursor ? { cursor } : {}),
    });
    found.push(...page.items.map((item) => objectIn<"cluster">(item)));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

async function noteSilence(deps: Deps, hub: string, message: string): Promise<void> {
  const item = await deps.store.get(heartbeatKey(hub));
  const heartbeat = typeof item?.at === "string" ? Date.parse(item.at) : 0;
  if (deps.clock.now() - heartbeat < heartbeatTimeout) return;
  await changeObject(deps, "hub", hub, (current) =>
    current.status.state === "HUB_STATE_UNREACHABLE"
      ? undefined
      : { ...current, status: { state: "HUB_STATE_UNREACHABLE", message } },
  );
}
