import { AppError } from "../../../error.ts";
import type { TaskId, TaskObservation } from "../server.ts";
import type { RedfishApi } from "./api.ts";
import { type DriveResource, driveSchema, type Erasure, erasureOf } from "./storage.ts";
import {
  isTaskFor,
  monitorOf,
  observeTask,
  percentage,
  type RedfishActionRequest,
  readTask,
  taskFor,
} from "./task.ts";

/**
 * Our task ids for erasures without a Redfish task: the drive's path with `#accepted` until the drive shows
 * the erasure, and with `#shown` from then on. A shown erasure has ended when the drive stops showing it. A
 * drive that never shows it proves nothing: the erasure has to be requested again.
 */

const shownBy = (drive: string): TaskId => `${drive}#shown`;
const acceptedBy = (drive: string): TaskId => `${drive}#accepted`;
const ownErasure = /^(.*)#(shown|accepted)$/;

/** The progress of a task, or of an erasure without one. */
export async function observeAny(api: RedfishApi, task: TaskId): Promise<TaskObservation> {
  const [, path, known] = ownErasure.exec(task) ?? [];
  if (path === undefined) return observeTask(api, task);
  const drive = await api.read(path, driveSchema);
  const as = await erasureShown(api, drive);
  if (as !== undefined) {
    const message = `the drive is being erased${percentage(erasureOf(drive)?.PercentageComplete)}`;
    return { state: "pending", message, ...(as !== task && { as }) };
  }
  if (drive.Status?.Health === "Critical")
    return { state: "failed", message: "the drive is not healthy after its erasure" };
  if (known === "shown")
    return { state: "done", message: "the drive is not being erased any more" };
  const target = drive.Actions?.["#Drive.SecureErase"]?.target;
  const found = target && (await taskFor(api, { path: target, body: {} }));
  if (found !== undefined) return { ...(await observeTask(api, found)), as: found };
  return { state: "unknown", message: untold(api, drive) };
}

/**
 * The task id of the erasure that a drive shows; undefined if it shows none. Throws Unavailable if it is
 * another erasure.
 */
export async function erasureShown(
  api: RedfishApi,
  drive: DriveResource,
  request?: RedfishActionRequest,
): Promise<TaskId | undefined> {
  const erasure = erasureOf(drive);
  if (!erasure) return undefined;
  return (await taskOfErasure(api, erasure, request)) ?? shownBy(drive["@odata.id"]);
}

/**
 * The task id of an accepted erasure whose answer named no task. It records that the erasure was
 * accepted.
 */
export async function erasureAccepted(
  api: RedfishApi,
  id: string,
  request: RedfishActionRequest,
): Promise<TaskId> {
  try {
    const shown = await erasureShown(api, await api.read(id, driveSchema), request);
    return shown ?? (await taskFor(api, request)) ?? acceptedBy(id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return acceptedBy(id);
  }
}

/**
 * The Redfish task of a running erasure, if the controller names it. Throws Unavailable if it is another
 * erasure.
 */
async function taskOfErasure(
  api: RedfishApi,
  { AssociatedTask }: Erasure,
  request?: RedfishActionRequest,
): Promise<TaskId | undefined> {
  if (!AssociatedTask) return undefined;
  const task = await readTask(api, AssociatedTask["@odata.id"]);
  if (!task) return undefined;
  if (!request || isTaskFor(task, request)) return monitorOf(task);
  throw new AppError("Unavailable", "the drive is being erased in another way");
}

const untold = ({ host }: RedfishApi, { Name, "@odata.id": path }: DriveResource): string =>
  `the controller ${host} has accepted Drive.SecureErase of drive ${Name ?? ""} (${path}), names no task for it, and the drive does not show it`;
