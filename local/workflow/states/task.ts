import * as z from "zod";
import type { Json } from "../../../core/kernel/store/store.ts";
import type { TaskState } from "../asl.ts";
import { Interrupt, isLeft, StateError } from "../errors.ts";
import { taskScheduled, taskStarted } from "../history.ts";
import { json } from "../json.ts";
import { checkDataLimit } from "../limits.ts";
import { parseResource, type Resource } from "../resource.ts";
import { attend, type Task } from "../task.ts";
import type { Outcome, Visit } from "../visit.ts";

const scheduledRecord = z.object({
  arguments: json,
  token: z.string().optional(),
  deadline: z.number().optional(),
  heartbeats: z.boolean(),
});

export async function runTask(visit: Visit, state: TaskState): Promise<Outcome> {
  const resource = parseResource(state.Resource);
  if (resource === undefined) {
    throw new StateError("States.Runtime", `The resource '${state.Resource}' is not supported.`);
  }
  const scheduled =
    visit.read(scheduledRecord, "scheduled") ?? (await schedule(visit, state, resource));
  const { token } = scheduled;
  if (token !== undefined) visit.context.Task = { Token: token };
  try {
    const answer = await attend(visit, { ...scheduled, resource });
    if ("error" in answer) throw new StateError(answer.error, answer.cause);
    const { output } = answer;
    return await visit.shape(state, state.Next, output, { result: output });
  } catch (thrown) {
    if (thrown instanceof Interrupt && !isLeft(thrown) && token !== undefined) {
      visit.run.tokens.close(token);
    }
    throw thrown;
  }
}

/** Decides the call, its token and its deadline, and stores them before the call. */
async function schedule(
  visit: Visit,
  state: TaskState,
  resource: Resource,
): Promise<Omit<Task, "resource">> {
  const { run } = visit;
  const place = `${run.execution}/${visit.key}`;
  const token = resource.waitsForToken ? run.tokens.make(place, run.random) : undefined;
  if (token !== undefined) visit.context.Task = { Token: token };
  const args = await visit.evaluate(state.Arguments ?? {}, "Arguments");
  checkDataLimit(args, `arguments of the state '${visit.name}'`);
  const timeout = await secondsOf(visit, state.TimeoutSeconds, "TimeoutSeconds");
  const heartbeat = await secondsOf(visit, state.HeartbeatSeconds, "HeartbeatSeconds");
  const deadline = timeout === undefined ? undefined : run.clock.now() + timeout * 1000;
  // A heartbeat names its task by the token, so without a token there are no heartbeats.
  const silence = heartbeat === undefined ? undefined : heartbeat * 1000;
  const task = { arguments: args, token, deadline, heartbeats: silence !== undefined };
  visit.write(
    "scheduled",
    JSON.parse(JSON.stringify(task)),
    [taskScheduled(resource, args, timeout, heartbeat), taskStarted(resource)],
    {
      also: () => {
        if (token !== undefined) run.tokens.open(token, run.execution, deadline, silence);
      },
    },
  );
  return task;
}

async function secondsOf(
  visit: Visit,
  template: Json | undefined,
  field: string,
): Promise<number | undefined> {
  if (template === undefined) return undefined;
  const seconds = await visit.evaluate(template, field);
  if (typeof seconds !== "number" || !Number.isInteger(seconds) || seconds < 1) {
    throw visit.wrongValue(field, "a positive integer");
  }
  return seconds;
}
