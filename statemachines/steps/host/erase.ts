import { hours, inMinutes, minutes, timestamp } from "../../../core/clock.ts";
import { AppError, isKind } from "../../../core/error.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { type ErasureMethod, strongest } from "../../../core/ports/bare-metal/erasure.ts";
import { serialIn } from "../../../core/ports/bare-metal/identity.ts";
import type {
  BareMetalServer,
  Drive,
  ServerDrives,
  TaskId,
  TaskObservation,
} from "../../../core/ports/bare-metal/server.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import {
  type DriveRecord,
  drivesToKeep,
  isErased,
  serverOf,
  withServer,
} from "../../../core/resources/host/server.ts";
import { ofControllers, pause } from "../pace.ts";
import { systems } from "../systems.ts";
import { bootSourceOf } from "./boot-source.ts";
import { endBootOf } from "./end-boot.ts";
import { onServer } from "./server.ts";

/**
 * Erases every drive of a server by the strongest method that it offers; some services erase all drives at once. No
 * weaker method is used after a failure. A drive without a method fails the step, and its host is quarantined.
 */

async function erase(host: Host, context: StepContext<Host>): Promise<void> {
  if (isErased(host)) return;
  await onServer(host, context, async (server) => {
    const { drives } = server;
    if (!drives) throw new AppError("Rejected", "expected a service that erases drives");
    const found = await drives.list();
    const known = serverOf(host).drives ?? [];
    const records: DriveRecord[] = [];
    const observed = observing(server);
    for (const drive of found)
      records.push(await advanced(observed, drives, drive, recordOf(drive, known), context));
    // The erasure of a drive that is no longer listed cannot be confirmed.
    const left = known.filter((record) => !found.some((drive) => isOf(record, drive)));
    const all = [...records, ...left.map(unlisted)];
    // The image was booted only for the erasure, so its token ends.
    if (all.every(isDone)) await endBootOf(host, context);
    await note(all, context);
    if (records.some(({ state }) => state === "waiting")) await start(server, records, context);
  });
}

/** Whether a record belongs to a drive; some controllers rename their drives after a start. */
function isOf({ id, serial }: DriveRecord, drive: Drive): boolean {
  const number = serialIn(serial);
  return id === drive.id || (number !== undefined && number === serialIn(drive.serial));
}

const recordOf = (drive: Drive, known: readonly DriveRecord[]): DriveRecord | undefined =>
  known.find(({ id }) => id === drive.id) ?? known.find((record) => isOf(record, drive));

const isDone = ({ state }: DriveRecord): boolean => state === "done";

const unlisted = (record: DriveRecord): DriveRecord =>
  record.state === "done" || record.state === "failed"
    ? record
    : { ...record, state: "pending", message: "its controller does not list it any more" };

type Observing = (task: TaskId) => Promise<TaskObservation | undefined>;

/** Observes each task only once, because one task may erase all drives. */
function observing(server: BareMetalServer): Observing {
  const known = new Map<TaskId, ReturnType<Observing>>();
  return (task) => {
    const seen = known.get(task) ?? server.observe(task).then((observation) => observation.task);
    known.set(task, seen);
    return seen;
  };
}

/** The record of a drive after the next possible action. */
async function advanced(
  observed: Observing,
  drives: ServerDrives,
  drive: Drive,
  record: DriveRecord | undefined,
  { deps }: StepContext<Host>,
): Promise<DriveRecord> {
  if (record?.state === "done" || record?.state === "failed") return record;
  const now = deps.clock.now();
  if (record?.task === undefined) return begun(drives, drive, now, record?.begun);
  const { task } = record;
  const { task: _, ...rest } = { ...record, id: drive.id };
  const seen = await observed(task);
  const message = seen?.message ?? "";
  switch (seen?.state) {
    case "done":
    case "failed":
      return { ...rest, state: seen.state, message, at: timestamp(now) };
    case "staged":
      return { ...rest, task: seen.as ?? task, state: "waiting", message };
    case "pending":
      return { ...rest, task: seen.as ?? task, state: "pending", message };
    case "unknown": {
      const { requested = timestamp(now) } = record;
      if (now - Date.parse(requested) < silence[record.method])
        return { ...rest, task, state: "pending", message, requested };
      return begun(drives, drive, now, record.begun);
    }
    default:
      // The result is unknown, so the drive is erased again.
      return begun(drives, drive, now, record.begun);
  }
}

/** A drive in words, with its serial number, because controllers may use one name for several drives. */
const inWords = ({ name, serial }: Pick<Drive, "name" | "serial">): string =>
  serial === undefined ? name : `${name} (serial number ${serial})`;

/** How often an erasure may be repeated when the controller loses its task. */
const budget = 5;
/**
 * The time after which an erasure that the controller does not show is requested again; a running one may start
 * over.
 */
const silence: Record<ErasureMethod, number> = {
  cryptographic: hours(1),
  block: hours(1),
  unspecified: hours(1),
  overwrite: hours(6),
};

/** Begins to erase a drive, and counts the attempts. Throws Rejected for a drive that cannot be erased. */
async function begun(
  drives: ServerDrives,
  drive: Drive,
  now: number,
  times = 0,
): Promise<DriveRecord> {
  const { id, name, serial, wwn } = drive;
  const method = strongest(drive);
  if (!method)
    throw new AppError(
      "Rejected",
      `expected drive ${inWords(drive)} to offer a way to be erased; its controller offers none`,
    );
  if (times >= budget)
    throw new AppError(
      "Rejected",
      `expected drive ${inWords(drive)} to be erased; its controller accepted that ${times} times and knows nothing of it`,
    );
  const record = {
    ...{ id, name, method },
    ...(serial !== undefined && { serial }),
    ...(wwn !== undefined && { wwn }),
  };
  try {
    const task = await drives.erase(id, method, times > 0);
    const message = "its erasure has begun";
    const requested = timestamp(now);
    return { ...record, task, state: "pending", message, begun: times + 1, requested };
  } catch (error) {
    // Some services start the server by themselves, so the step waits for them.
    if (!isKind(error, "Unavailable") || drives.areErasedTogether) throw error;
    const before = times > 0 && { begun: times };
    return { ...record, state: "waiting", message: error.message, ...before };
  }
}

/** How long the controller may take after a start to reach the drives, or to begin a staged task. */
const standstill = minutes(10);
/** How long a server may stay off despite repeated requests to switch on. */
const patience = minutes(30);

/**
 * Starts the server: many controllers reach drives only while it is on, and others erase at the next start. It
 * boots the discovery image, so that nothing on the drives can run.
 */
async function start(
  server: BareMetalServer,
  records: readonly DriveRecord[],
  context: StepContext<Host>,
): Promise<void> {
  const { deps, change } = context;
  const now = deps.clock.now();
  const host = await context.latest();
  const { bootSet, started, asked } = serverOf(host);
  const seen = await server.observe();
  if (seen.power === "off") {
    const source = (await bootSourceOf(host, context))(server, host, context);
    // The boot source may still be an image of an earlier operation, whose token has ended.
    if (bootSet === undefined || !source.isSet(seen)) {
      await source.set();
      await change((current) => withServer(current, { bootSet: timestamp(now) }));
      return;
    }
    // After such a time the server was on meanwhile, or was not checked, so the wait begins again.
    const isAgain = started !== undefined && now - Date.parse(started) <= standstill;
    const since = isAgain && asked !== undefined ? asked : timestamp(now);
    if (now - Date.parse(since) > patience)
      throw new AppError(
        "Rejected",
        `expected the server to be on within ${inMinutes(patience)}; its controller accepts that and says that it is off`,
      );
    const at = timestamp(now);
    await change((current) => withServer(current, { started: at, asked: since }));
    await server.powerOn();
    return;
  }
  const isBusy = records.some(({ state }) => state === "pending");
  const hasWaited = started === undefined || now - Date.parse(started) > standstill;
  if (seen.power === "on" && hasWaited && !isBusy) await server.powerOff("forced");
}

/** Records the state of the drives; the server is clean when all are erased. */
async function note(records: DriveRecord[], { change }: StepContext<Host>): Promise<void> {
  const isClean = records.every(isDone);
  const drives = drivesToKeep(records);
  await change((host) =>
    withServer(host, { drives, ...(isClean && { condition: "CLEAN" as const }) }),
  );
}

function areErased(host: Host, context: Context): Outcome {
  if (isErased(host)) return done;
  const { drives = [] } = serverOf(host);
  const failed = drives.find(({ state }) => state === "failed");
  if (failed)
    throw new AppError(
      "Rejected",
      `expected drive ${inWords(failed)} to be erased (${failed.method}); ${failed.message}`,
    );
  const open = drives.filter(({ state }) => state !== "done");
  const [next] = open;
  if (!next) return pending("the drives to be listed", pause(context, ofControllers));
  const what = `${open.length} of ${drives.length} drives to be erased (${next.name}: ${next.message})`;
  return pending(what, pause(context, ofControllers));
}

/** The deadline of several sagas: to overwrite a disk of many terabytes takes a day. */
export const eraseDrives: StepAction<Host> = {
  system: systems.bareMetal,
  act: erase,
  look: erase,
  looksLater: true,
  until: areErased,
  deadline: hours(36),
  usually: minutes(10),
};
