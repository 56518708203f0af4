import type { Deps } from "../deps.ts";
import { isKind, toAppError } from "../error.ts";
import type { News } from "../hub/news.ts";
import { heartbeatTimeout } from "../model/hub.ts";
import type { ObjectOf } from "../model/object-of.ts";
import { candidates } from "../placement/hubs.ts";
import type { Sagas } from "../saga/settle.ts";
import { heartbeatKey, hubLookKey, hubLookPartition, hubPartition } from "../store/keys.ts";
import { objectIn } from "../store/records.ts";
import { changeObject } from "../store/rewrite.ts";
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

/** Has a hub looked at before its turn; asked for often, it is looked at once. */
export const askForLook = (deps: Deps, hub: string): Promise<void> =>
  deps.store.transact([{ put: { ...hubLookKey(hub) } }]);

/** Looks at the hubs that somebody asked for. */
export const sweepAskedHubs = (deps: Deps, sagas: Sagas): Promise<void> =>
  forAskedHubs(deps, (hub) => sweepOne(deps, sagas, hub));

/** Each hub that somebody asked for, once; who asks from now on is heard again. */
export async function forAskedHubs(
  deps: Deps,
  look: (hub: string) => Promise<void>,
): Promise<void> {
  const { items } = await deps.store.query({ pk: hubLookPartition });
  for (const { sk: hub } of items) {
    // First; after a crash the hub's turn comes anyway.
    await deps.store.transact([{ delete: hubLookKey(hub) }]);
    await look(hub);
  }
}

/**
 * One hub's backstop: reads all of it, writes what it saw and what it saw no more, wakes what its
 * agent's news missed. A hub that cannot be asked keeps its orders as they are; one that is silent
 * as well is UNREACHABLE.
 */
export async function sweepHub(deps: Deps, sagas: Sagas, hub: string): Promise<void> {
  // Known before the read: what comes up during it is not missing.
  const hosts = await onHub(deps, hub, "host");
  const clusters = await onHub(deps, hub, "cluster");
  const readAt = deps.clock.now();
  let news: News[];
  try {
    news = await (await deps.hubs.client(hub)).readAll();
  } catch (error) {
    const { message } = toAppError(error);
    await noteSilence(deps, hub, message);
    if (isKind(error, "Unavailable")) return;
    throw error;
  }
  await takeReport(deps, sagas, { hub, heartbeat: false, news }, readAt);
  const seen = seenIn(news);
  const changed = new Set(await noteMissingAgents(deps, hosts, seen));
  for (const cluster of clusters) {
    if (missing(cluster, seen).length === 0) continue;
    await refreshCluster(deps, cluster.id);
    changed.add(cluster.id);
  }
  for (const cluster of changed) await wakeCluster(deps, sagas, cluster);
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

async function noteSilence(deps: Deps, hub: string, message: string): Promise<void> {
  const item = await deps.store.get(heartbeatKey(hub));
  const heartbeat = typeof item?.at === "string" ? Date.parse(item.at) : 0;
  if (deps.clock.now() - heartbeat < heartbeatTimeout) return;
  await changeObject(deps, "hub", hub, (current) =>
    current.status.state === "HUB_STATE_UNREACHABLE"
      ? undefined
      : { ...current, status: { ...current.status, state: "HUB_STATE_UNREACHABLE", message } },
  );
}
