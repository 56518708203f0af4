import * as z from "zod";
import { isTransient } from "../../../http.ts";
import type { TaskObservation } from "../server.ts";
import type { RedfishApi } from "./api.ts";
import { messagesIn, translated } from "./error.ts";

const taskSchema = z.looseObject({
  TaskState: z.string(),
  TaskStatus: z.string().nullish(),
  PercentComplete: z.number().nullish(),
  Messages: z
    .array(z.looseObject({ Message: z.string().nullish() }))
    .catch([])
    .default([]),
});

const failures: ReadonlySet<string> = new Set(["Exception", "Killed", "Cancelled", "Interrupted"]);

/**
 * How far a task is. A monitor answers 202 while the task runs and then the change's own answer; what
 * some call a monitor is the task itself, which always answers 200.
 */
export async function observeTask(api: RedfishApi, path: string): Promise<TaskObservation> {
  const reply = await api.send({ method: "GET", path });
  const { status } = reply;
  if (status === 404 || status === 410)
    return { state: "gone", message: "the controller does not know the task" };
  if (isTransient(status)) throw translated(reply, `GET ${path}`);
  const task = taskSchema.safeParse(reply.json).data;
  if (status < 300 && task) {
    const { TaskState, TaskStatus, PercentComplete, Messages } = task;
    const said = Messages.map(({ Message }) => Message)
      .filter(Boolean)
      .join(" ");
    const percent = PercentComplete == null ? "" : ` (${PercentComplete} %)`;
    const message = `the controller's task is ${TaskState}${percent}${said && `: ${said}`}`;
    if (failures.has(TaskState)) return { state: "failed", message };
    if (TaskState === "Completed")
      return { state: TaskStatus === "Critical" ? "failed" : "done", message };
    return { state: "pending", message };
  }
  if (status === 202) return { state: "pending", message: "the controller's task runs" };
  if (status < 300) return { state: "done", message: "the controller's task has ended" };
  const said = messagesIn(reply)
    .map(({ text }) => text)
    .join(" ");
  return { state: "failed", message: `the controller's task has failed: ${said || status}` };
}
