import { hours } from "../clock.ts";
import { isKind, logged, toAppError } from "../error.ts";
import type { OperationId } from "../id.ts";
import type { Deps } from "../kernel/deps.ts";
import { hubPartition, unreportedPartition } from "../kernel/object/keys.ts";
import type { Kind } from "../kernel/object/object.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { load, objectsIn } from "../kernel/object/records.ts";
import type { OperatedKind } from "../kernel/object/traits.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import { parkWaits, unpark } from "../kernel/saga/park.ts";
import { type Sagas, sagaOf } from "../kernel/saga/settle.ts";
import { noteRoom } from "../placement/capacity/note-room.ts";
import type { HubRead } from "../ports/hub/absence.ts";
import type { News } from "../ports/hub/news.ts";
import type { Concerned } from "../ports/hub/observer.ts";
import { quietUntil, sweepNext } from "../ports/sweep-times.ts";
import { forRequestedHubs } from "../resources/hub/sweep-requests.ts";
import { hubsDue } from "./due-hubs.ts";
import { isReporting } from "./heartbeats.ts";
import { noteSilences } from "./note-silences.ts";
import { follow, observe } from "./observe.ts";
import { noteReached, noteSilence, noteUnreached } from "./reach.ts";
import { absenceOf, noteMissing, refreshObject, seenIn } from "./refresh.ts";
import { renewCertificates } from "./renew-certificates.ts";
import { withoutRepeated } from "./repeated.ts";
import { wakeAll } from "./report.ts";

/** The interval of sweeps of a hub whose agent reports. */
const quiet = hours(1);

/** Runs work as a worker of the hub zone would. */
type InHubZone = (work: () => Promise<void>) => Promise<void>;
const here: InHubZone = (work) => work();

/** Sweeps the hubs that are due; a failure of one does not block the others. */
export async function sweepHubs(deps: StepDeps, sagas: Sagas, inZone = here): Promise<void> {
  for (const id of await hubsDue(deps)) await inZone(() => sweepOne(deps, sagas, id));
}

async function sweepOne(deps: StepDeps, sagas: Sagas, hub: string): Promise<void> {
  try {
    await sweepHub(deps, sagas, hub);
  } catch (thrown) {
    deps.log.error({ hub, ...logged(thrown) }, "sweep of a hub failed");
  }
}

/** Sweeps the hubs whose sweep was requested. */
export const sweepAskedHubs = (deps: StepDeps, sagas: Sagas, inZone = here): Promise<void> =>
  forRequestedHubs(deps, (hub) => inZone(() => sweepOne(deps, sagas, hub)));

/**
 * The backstop of one hub: reads all its objects, records those that exist and those that are missing, wakes steps
 * whose reports were lost, and has certificates renewed. Orders on an unreachable hub do not change. Records whether
 * the hub was reached and whether its agent is silent: a hub that is not READY gets no new orders. A hub whose agent
 * reports is due again in an hour; any other stays due.
 */
export async function sweepHub(deps: StepDeps, sagas: Sagas, hub: string): Promise<void> {
  // Read before the hub: an object that is created during the sweep is not missing.
  const objects: ObjectOf[Kind][] = [];
  for (const kind of Object.keys(deps.absences) as Kind[])
    objects.push(...(await onHub(deps, hub, kind)));
  const all = [...objects, ...(await unreportedOn(deps, hub))];
  await noteSilences(deps, objects);
  const readAt = deps.clock.now();
  const next = quietUntil(deps, hub, quiet);
  let news: News[];
  try {
    news = await (await deps.hubs.client(hub, { evenAway: true })).readAll();
  } catch (error) {
    await noteSilence(deps, hub);
    const since = await noteUnreached(deps, hub, toAppError(error));
    const from = { system: "hub", instance: hub };
    if (since !== undefined)
      await eachUnderWay(deps, all, (operation) =>
        parkWaits(deps, sagaOf(sagas, operation), operation, { zone: "hub", from, since }),
      );
    if (isKind(error, "Unavailable")) return;
    throw error;
  }
  await noteSilence(deps, hub);
  await noteReached(deps, hub);
  await noteRoom(deps, hub);
  const concerned: (Concerned | undefined)[] = [];
  for (const told of await withoutRepeated(deps, objects, news))
    concerned.push(await observe(deps, hub, told, readAt));
  concerned.push(...(await noteAllMissing(deps, objects, { seen: seenIn(news), at: readAt })));
  // Also without new reports: a worker may have died between the write of a report and the wake.
  concerned.push(...objects.filter(isUnderWay));
  await wakeAll(deps, sagas, concerned);
  await eachUnderWay(deps, all, (operation) => unpark(deps, operation));
  await renewCertificates(deps, objects);
  if (await isReporting(deps, hub))
    await sweepNext(deps, "objects", { kind: "hub", id: hub }, next);
}

/**
 * Records the objects that a read of the whole hub did not find: first for the kinds for which this read decides, then
 * for those whose objects are read once more.
 */
async function noteAllMissing(
  deps: StepDeps,
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
    concerned.push(await follow(deps, kind, await refreshObject(deps, kind, id)));
  }
  return concerned;
}

/** Whether an object has a running operation. */
const isUnderWay = (object: ObjectOf[Kind]): object is UnderWay =>
  "operation" in object && object.operation !== undefined;
type UnderWay = ObjectOf[OperatedKind] & { operation: OperationId };

/** Runs work for each operation of these objects. A failure of one does not block the others. */
async function eachUnderWay(
  deps: StepDeps,
  objects: ObjectOf[Kind][],
  work: (operation: Operation) => Promise<void>,
): Promise<void> {
  for (const { operation: id } of objects.filter(isUnderWay)) {
    try {
      const operation = await load(deps, "operation", id);
      if (operation) await work(operation);
    } catch (error) {
      const { detail } = toAppError(error);
      deps.log.warn({ operation: id, detail }, "steps were not notified whether their hub answers");
    }
  }
}

/** All objects of a kind on a hub, from an index, which may lag. */
export const onHub = <K extends Kind>(
  deps: Pick<Deps, "store" | "kinds">,
  hub: string,
  kind: K,
): Promise<ObjectOf[K][]> => inPartition<K>(deps, hubPartition(hub, kind));

/** All objects on a hub of kinds that the hub does not report, from an index, which may lag. */
export const unreportedOn = (
  deps: Pick<Deps, "store" | "kinds">,
  hub: string,
): Promise<ObjectOf[Kind][]> => inPartition(deps, unreportedPartition(hub));

async function inPartition<K extends Kind>(
  deps: Pick<Deps, "store" | "kinds">,
  pk: string,
): Promise<ObjectOf[K][]> {
  const found: ObjectOf[K][] = [];
  for await (const page of objectsIn<K>(deps, { index: "g3", pk })) found.push(...page);
  return found;
}
