import { hours, minutes, timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Action } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { type Drive, strongest } from "../../../core/ports/bare-metal/erasure.ts";
import type { BareMetalServer, TaskObservation } from "../../../core/ports/bare-metal/server.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { type DriveRecord, serverOf, withServer } from "../../../core/resources/host/server.ts";
import { pause } from "../pace.ts";
import { systems } from "../systems.ts";
import { ofControllers, onServer } from "./server.ts";

/**
 * Erases every drive of a server, each by the strongest method that it offers. A weaker method is never
 * taken after one has failed, and a drive that offers none fails the step: its host is set aside.
 */

/** Whether nobody has written on the drives since they were erased. */
const isErased = (host: Host): boolean => {
  const { condition } = serverOf(host);
  return condition === "CLEAN" || condition === "READY";
};

async function erase(host: Host, context: StepContext<Host>): Promise<void> {
  if (isErased(host)) return;
  await onServer(host, context, async (server) => {
    const drives = await server.drives();
    const records = serverOf(host).drives ?? [];
    for (const drive of drives) {
      const known = records.find(({ id, state }) => id === drive.id && state === "pending");
      const record = known ? await progressOf(server, known, context) : await begin(server, drive);
      await note(record, drives, context);
    }
    if (drives.length === 0) await note(undefined, drives, context);
  });
}

/** Begins to erase a drive. An erasure that runs already is the same one. */
async function begin(server: BareMetalServer, { id, name, serial, methods }: Drive) {
  const method = strongest(methods);
  if (!method)
    throw new AppError(
      "Rejected",
      `expected drive ${name} to offer a way to be erased; its controller offers none`,
    );
  const task = await server.erase(id, method);
  return {
    ...{ id, name, method, state: "pending", message: "its erasure has begun" },
    ...(serial !== undefined && { serial }),
    ...(task !== undefined && { task }),
  } satisfies DriveRecord;
}

async function progressOf(
  server: BareMetalServer,
  record: DriveRecord,
  { deps }: StepContext<Host>,
): Promise<DriveRecord> {
  const { task, ...rest } = record;
  const seen = task === undefined ? undefined : (await server.observe(task)).task;
  const { state, message } = ended(seen);
  if (state === "pending") return { ...record, message };
  return { ...rest, state, message, at: timestamp(deps.clock.now()) };
}

/**
 * What a task says of the drive. An erasure of which nobody knows how it ended has not ended well: the
 * drive is erased once more.
 */
function ended(task: TaskObservation | undefined): Pick<DriveRecord, "state" | "message"> {
  if (!task) return { state: "done", message: "the controller erased it at once" };
  if (task.state === "gone") return { state: "failed", message: "the controller has forgotten it" };
  return { state: task.state, message: task.message };
}

/** Writes the state of a drive; the server is clean with the last that is done. */
async function note(
  record: DriveRecord | undefined,
  drives: readonly Drive[],
  { change }: StepContext<Host>,
): Promise<void> {
  await change((host) => {
    const others = (serverOf(host).drives ?? []).filter(({ id }) => id !== record?.id);
    // Drives that are not in the server any more are not its drives.
    const records = [...others, ...(record ? [record] : [])].filter(({ id }) =>
      drives.some((drive) => drive.id === id),
    );
    const isClean =
      records.length === drives.length && records.every(({ state }) => state === "done");
    return withServer(host, { drives: records, ...(isClean && { condition: "CLEAN" as const }) });
  });
}

function areErased(host: Host, context: Context): Outcome {
  if (isErased(host)) return done;
  const { drives = [] } = serverOf(host);
  const failed = drives.find(({ state }) => state === "failed");
  if (failed)
    throw new AppError(
      "Rejected",
      `expected drive ${failed.name} to be erased (${failed.method}); ${failed.message}`,
    );
  const open = drives.filter(({ state }) => state === "pending");
  const [next] = open;
  if (!next) return pending("the drives to be listed", pause(context, ofControllers));
  const what = `${open.length} of ${drives.length} drives to be erased (${next.name}: ${next.message})`;
  return pending(what, pause(context, ofControllers));
}

/** Shared by several sagas. An overwritten disk of many terabytes takes a day. */
export const eraseDrives: Action<Host> = {
  system: systems.bareMetal,
  act: erase,
  look: erase,
  looksLater: true,
  until: areErased,
  deadline: hours(36),
  usually: minutes(10),
};
