import { isKind, toAppError } from "../error.ts";
import type { OperationId } from "../id.ts";
import type { Deps } from "../kernel/deps.ts";
import { hubPartition } from "../kernel/object/keys.ts";
import type { Kind } from "../kernel/object/object.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { load, objectsIn } from "../kernel/object/records.ts";
import { unpark } from "../kernel/saga/park.ts";
import type { Sagas } from "../kernel/saga/settle.ts";
import { candidates } from "../placement/hubs.ts";
import type { HubRead } from "../ports/hub/absence.ts";
import type { News } from "../ports/hub/news.ts";
import type { Concerned } from "../ports/hub/observer.ts";
import { forRequestedHubs } from "../resources/hub/sweep-requests.ts";
import { follow } from "./observe.ts";
import { noteReached, noteSilence, noteUnreached } from "./reach.ts";
import { absenceOf, noteMissing, refreshObject, seenIn } from "./refresh.ts";
import { takeReport, wakeAll } from "./report.ts";

/** Sweeps every hub; one that fails must not block the others. */
export async function sweepHubs(deps: Deps, sagas: Sagas): Promise<void> {
  for (const { hub } of await candidates(deps)) await sweepOne(deps, sagas, hub.id);
}

async function sweepOne(deps: Deps, sagas: Sagas, hub: string): Promise<void> {
  try {
    await sweepHub(deps, sagas, hub);
  } catch (thrown) {
    const { kind, message, detail } = toAppError(thrown);
    deps.log.error({ hub, kind, detail: detail ?? message }, "sweep of a hub failed");
  }
}

/** Sweeps the hubs whose sweep was requested. */
export const sweepAskedHubs = (deps: Deps, sagas: Sagas): Promise<void> =>
  forRequestedHubs(deps.store, (hub) => sweepOne(deps, sagas, hub));

/**
 * The backstop of one hub: reads all its objects, records those that exist and those that are missing,
 * and wakes steps whose reports were lost. Orders of a hub that does not answer stay as they are.
 * Records whether the hub was reached and whether its agent is silent: a hub that is not READY gets no
 * new orders.
 */
export async function sweepHub(deps: Deps, sagas: Sagas, hub: string): Promise<void> {
  // Read before the hub: an object that appears during the sweep is not missing.
  const objects: ObjectOf[Kind][] = [];
  for (const kind of Object.keys(deps.absences) as Kind[])
    objects.push(...(await onHub(deps, hub, kind)));
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
  for (const object of objects)
    if ("operation" in object && object.operation) await callAgain(deps, object.operation);
  const concerned = await noteAllMissing(deps, objects, { seen: seenIn(news), at: readAt });
  await wakeAll(deps, sagas, concerned);
}

/**
 * Records the objects that a read of the whole hub did not find: first for the kinds for which this
 * read decides, then for those whose objects are read again.
 */
async function noteAllMissing(
  deps: Deps,
  objects: ObjectOf[Kind][],
  read: HubRead,
): Promise<(Concerned | undefined)[]> {
  const concerned: (Concerned | undefined)[] = [];
  const isReadAgain = ({ kind }: ObjectOf[Kind]) => absenceOf(deps, kind).read !== undefined;
  for (const object of objects)
    if (!isReadAgain(object)) concerned.push(await noteMissing(deps, object, read));
  for (const object of objects.filter(isReadAgain)) {
    const { kind, id } = object;
    if (!absenceOf(deps, kind).isMissing(object, read.seen)) continue;
    await refreshObject(deps, kind, id);
    concerned.push(await follow(deps, kind, id));
  }
  return concerned;
}

/**
 * Has Step Functions call the steps again that wait for the hub. One that fails does not block the
 * others.
 */
async function callAgain(deps: Deps, id: OperationId): Promise<void> {
  try {
    const operation = await load(deps, "operation", id);
    if (operation) await unpark(deps, operation);
  } catch (error) {
    deps.log.warn(
      { operation: id, detail: toAppError(error).detail },
      "steps were not called again",
    );
  }
}

/** All objects of a kind on a hub, from an index, which may lag. */
export async function onHub<K extends Kind>(
  deps: Pick<Deps, "store" | "kinds">,
  hub: string,
  kind: K,
): Promise<ObjectOf[K][]> {
  const found: ObjectOf[K][] = [];
  const query = { index: "g3", pk: hubPartition(hub, kind) } as const;
  for await (const page of objectsIn<K>(deps, query)) found.push(...page);
  return found;
}
