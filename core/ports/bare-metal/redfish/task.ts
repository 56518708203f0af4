import * as z from "zod";
import { AppError } from "../../../error.ts";
import { type HttpReply, isTransient } from "../../../http.ts";
import type { TaskId, TaskObservation } from "../server.ts";
import { namedIn, type RedfishApi } from "./api.ts";
import {
  type RedfishMessage,
  redfishError,
  redfishMessageSchema,
  redfishMessagesIn,
  saysOneOf,
} from "./error.ts";
import { bare, link, reference } from "./link.ts";
import { listOf, toldOrNone } from "./system.ts";

/**
 * The severities of messages that tell of success and of failure; without a severity the message's id
 * decides.
 */
const good: ReadonlySet<string> = new Set(["OK", "Informational", "Information"]);
const bad: ReadonlySet<string> = new Set(["Critical", "Fatal", "Error"]);

/**
 * Ids of the standard registry. Other messages without a severity are neutral, because vendors report many
 * things that way.
 */
const successes: ReadonlySet<string> = new Set(["Success", "Created", "NoOperation"]);
const errors: ReadonlySet<string> = new Set(["GeneralError", "InternalError", "OperationFailed"]);

const isSuccess = ({ severity, id }: RedfishMessage): boolean =>
  severity === undefined ? successes.has(id) : good.has(severity);

const isError = ({ severity, id }: RedfishMessage): boolean =>
  severity === undefined ? errors.has(id) : bad.has(severity);

/** A task; Dell's jobs have state and messages under other names. */
const taskSchema = z
  .looseObject({
    "@odata.id": reference.optional(),
    TaskState: z.string().optional(),
    JobState: z.string().optional(),
    TaskStatus: z.string().nullish(),
    PercentComplete: z.number().nullish(),
    Message: z.string().nullish(),
    Messages: z.array(redfishMessageSchema).catch([]).default([]),
    TaskMonitor: reference.nullish(),
    /** The request that created the task. */
    Payload: z
      .looseObject({ TargetUri: z.string().nullish(), JsonBody: z.string().nullish() })
      .nullish(),
  })
  .transform((task, context) => {
    const state = task.TaskState ?? task.JobState;
    if (state !== undefined) return { ...task, state };
    context.addIssue("is neither a task nor a job");
    return z.NEVER;
  });
type Task = z.infer<typeof taskSchema>;

const failures: ReadonlySet<string> = new Set([
  "Exception",
  "Killed",
  "Cancelled",
  "Interrupted",
  "Failed",
  "CompletedWithErrors",
  "RebootFailed",
]);
/** States until the server starts: HPE's and Dell's tasks are new, Dell's jobs scheduled. */
const staged: ReadonlySet<string> = new Set(["New", "Pending", "Scheduled"]);

/** Messages about the request that reads a task, not about the task. */
const unanswered: ReadonlySet<string> = new Set([
  "NoValidSession",
  "InsufficientPrivilege",
  "AccessDenied",
  "ResourceAtUriUnauthorized",
  "ServiceTemporarilyUnavailable",
  "ServiceShuttingDown",
]);

/**
 * The progress of a task. A task monitor answers 202 while the task runs, and then the answer of
 * the change itself. Some controllers name the task as its monitor, which always answers 200. Any
 * other answer shows no progress.
 */
export async function observeTask(api: RedfishApi, path: string): Promise<TaskObservation> {
  const reply = await api.send({ method: "GET", path });
  const { status } = reply;
  if (status === 404 || status === 410)
    return { state: "gone", message: "the controller does not know the task" };
  if (isTransient(status)) throw redfishError(reply, `GET ${path}`);
  const task = taskSchema.safeParse(reply.json).data;
  if (status < 300 && task) return { state: stateOf(task), message: said(task) };
  if (saysOneOf(reply, unanswered))
    throw new AppError("Unavailable", "the server's controller does not show the task now", {
      detail: `GET ${path}: ${status} ${reasonIn(reply)}`,
    });
  if (status === 202) return { state: "pending", message: "the controller's task runs" };
  if (status < 300) return ended(reply);
  return failed(reply);
}

/**
 * The outcome by the answer of the change itself: most are empty. An HTML page or another resource
 * shows no outcome.
 */
function ended(reply: HttpReply): TaskObservation {
  const done = { state: "done", message: "the controller's task has ended" } as const;
  if (reply.text === "") return done;
  const messages = redfishMessagesIn(reply);
  if (messages.some(isError)) return failed(reply);
  if (messages.some(isSuccess) || has(reply, "Success")) return done;
  if (has(reply, "error")) return failed(reply);
  return { state: "gone", message: "the controller shows no task where it said that it is" };
}

/**
 * Whether an answer is an object with this member; older Supermicro controllers write `Success` like `error`.
 */
const has = ({ json }: HttpReply, member: "error" | "Success"): boolean =>
  z.looseObject({ [member]: z.unknown() }).safeParse(json).data?.[member] !== undefined;

const reasonIn = (reply: HttpReply): string =>
  redfishMessagesIn(reply)
    .map(({ text }) => text)
    .join(" ");

const failed = (reply: HttpReply): TaskObservation => ({
  state: "failed",
  message: `the controller's task has failed: ${reasonIn(reply) || reply.status}`,
});

function stateOf({ state, TaskStatus, Messages }: Task): TaskObservation["state"] {
  if (failures.has(state)) return "failed";
  if (state === "Completed")
    return TaskStatus === "Critical" || Messages.some(isError) ? "failed" : "done";
  return staged.has(state) ? "staged" : "pending";
}

function said({ state, PercentComplete, Message, Messages }: Task): string {
  const texts = [Message, ...Messages.map((each) => each.text)].filter(Boolean).join(" ");
  const percent = percentage(PercentComplete);
  return `the controller's task is ${state}${percent}${texts && `: ${texts}`}`;
}

export const percentage = (percent: number | null | undefined): string =>
  percent == null ? "" : ` (${percent} %)`;

/** The request of an action. */
export interface RedfishActionRequest {
  path: string;
  body: object;
}

/** A task; undefined if its controller does not know it, or has forgotten it. */
export async function readTask(api: RedfishApi, path: string): Promise<Task | undefined> {
  const reply = await api.send({ method: "GET", path });
  if (isTransient(reply.status)) throw redfishError(reply, `GET ${path}`);
  return taskSchema.safeParse(reply.json).data;
}

/** The path at which a task is observed. */
export const monitorOf = (task: Task): TaskId | undefined => task.TaskMonitor ?? task["@odata.id"];

/** Whether a task can belong to a request: its payload does not contradict that. */
export function isTaskFor({ Payload }: Task, { path, body }: RedfishActionRequest): boolean {
  if (Payload?.TargetUri && bare(Payload.TargetUri) !== bare(path)) return false;
  const sent = z.record(z.string(), z.unknown()).safeParse(parsed(Payload?.JsonBody ?? "")).data;
  return !sent || Object.entries(body).every(([name, value]) => sent[name] === value);
}

/** The task that an answer names; undefined if the change is complete, or the answer names none. */
export const taskOf = (reply: HttpReply): TaskId | undefined =>
  reply.status === 202 || taskSchema.safeParse(reply.json).success ? namedIn(reply) : undefined;

/** The task of an accepted request: from its answer, or else from the list of tasks. */
export const taskAfter = async (
  api: RedfishApi,
  reply: HttpReply,
  request: RedfishActionRequest,
): Promise<TaskId | undefined> =>
  taskOf(reply) ?? (reply.status === 202 ? taskFor(api, request) : undefined);

/** The task in which a controller already carries out a request; undefined if it shows none. */
export async function taskFor(
  api: RedfishApi,
  request: RedfishActionRequest,
): Promise<TaskId | undefined> {
  const root = await api.read("/redfish/v1/", z.looseObject({ Tasks: link.optional() }));
  if (!root.Tasks) return undefined;
  const service = z.looseObject({ Tasks: link.optional() });
  const { Tasks } = await api.read(root.Tasks["@odata.id"], service);
  for (const path of toldOrNone(await listOf(api, Tasks))) {
    const task = await readTask(api, path);
    // The controller may have forgotten it meanwhile.
    if (!task) continue;
    const goesOn = stateOf(task) === "staged" || stateOf(task) === "pending";
    if (goesOn && task.Payload?.TargetUri && isTaskFor(task, request)) return monitorOf(task);
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
