import type { Deps } from "../deps.ts";
import { isKind, toAppError } from "../error.ts";
import type { OperationId } from "../id.ts";
import { hubPartition } from "../kernel/object/keys.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { load, objectIn } from "../kernel/object/records.ts";
import { unpark } from "../kernel/saga/park.ts";
import type { Sagas } from "../kernel/saga/settle.ts";
import { candidates } from "../placement/hubs.ts";
import { forAskedHubs } from "../ports/hub/asked.ts";
import type { News } from "../ports/hub/news.ts";
import { noteReached, noteSilence, noteUnreached } from "./reach.ts";
import { missing, noteMissingAgents, refreshCluster, seenIn } from "./refresh.ts";
import { takeReport, wakeCluster } from "./report.ts";

/** Every hub's backstop; one that troubles us must not keep the others from being looked after. */
export async function sweepHubs(deps: Deps, sagas: Sagas): Promise<void> {
  for (const { hub } of await candidates(deps.store)) await sweepOne(deps, sagas, hub.id);
}

async function sweepOne(deps: Deps, sagas: Sagas, hub: string): Promise<void> {
  try {
    await sweepHub(deps, sagas, hub);
  } catch (thrown) {
    const { kind, message, detail } = toAppError(thrown);
    deps.log.error({ hub, kind, detail: detail ?? message }, "sweep of a hub failed");
  }
}

/** Looks at the hubs that somebody asked for. */
export const sweepAskedHubs = (deps: Deps, sagas: Sagas): Promise<void> =>
  forAskedHubs(deps.store, (hub) => sweepOne(deps, sagas, hub));

/**
 * One hub's backstop: reads all of it, writes what it saw and what it saw no more, wakes what its
 * agent's news missed. A hub that cannot be asked keeps its orders as they are. Notes whether it was
 * reached and whether its agent is silent: who is not READY takes no new orders.
 */
export async function sweepHub(deps: Deps, sagas: Sagas, hub: string): Promise<void> {
  // Known before the read: what comes up during it is not missing.
  const hosts = await onHub(deps, hub, "host");
  const clusters = await onHub(deps, hub, "cluster");
  const readAt = deps.clock.now();
  let news: News[];
  try {
    news = await (await deps.hubs.client(hub, { evenAway: true })).readAll();
  } catch (error) {
    await noteSilence(deps, hub);
    await noteUnreached(deps, hub, toAppError(error));
    if (isKind(error, "Unavailable")) return;
    throw error;
  }
  await noteSilence(deps, hub);
  await noteReached(deps, hub);
  await takeReport(deps, sagas, { hub, heartbeat: false, news }, readAt);
  for (const { operation } of clusters) if (operation) await callAgain(deps, operation);
  const seen = seenIn(news);
  const changed = new Set(await noteMissingAgents(deps, hosts, seen));
  for (const cluster of clusters) {
    if (missing(cluster, seen).length === 0) continue;
    await refreshCluster(deps, cluster.id);
    changed.add(cluster.id);
  }
  for (const cluster of changed) await wakeCluster(deps, sagas, cluster);
}

/** Has the steps called again that wait for the hub. One that fails keeps none of the others back. */
async function callAgain(deps: Deps, id: OperationId): Promise<void> {
  try {
    const operation = await load(deps.store, "operation", id);
    if (operation) await unpark(deps, operation);
  } catch (error) {
    deps.log.warn(
      { operation: id, detail: toAppError(error).detail },
      "steps were not called again",
    );
  }
}

/** All clusters or hosts of a hub, as an index has them: it may lag. */
export async function onHub<K extends "cluster" | "host">(
  deps: Pick<Deps, "store">,
  hub: string,
  kind: K,
): Promise<ObjectOf[K][]> {
  const found: ObjectOf[K][] = [];
  let cursor: string | undefined;
  do {
    const page = await deps.store.query({
      index: "g3",
      pk: hubPartition(hub, kind),
      ...(cursor ? { cursor } : {}),
    });
    found.push(...page.items.map((item) => objectIn<K>(item)));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}
