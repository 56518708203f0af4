/** The life of a task from its scheduling to its end, in this process or after a restart. */
import type { Json } from "../../core/kernel/store/store.ts";
import { taskFailed, taskSubmitted, taskSucceeded } from "./history.ts";
import { json } from "./json.ts";
import { exceedsDataLimit } from "./limits.ts";
import type { Resource } from "./resource.ts";
import { type Answer, answerRecord } from "./tokens.ts";
import type { Visit } from "./visit.ts";

export interface Task {
  resource: Resource;
  arguments: Json;
  /** The task's token; undefined when the call's own answer ends the task. */
  token?: string | undefined;
  /** The deadline, in milliseconds since the epoch. */
  deadline?: number | undefined;
  /** Whether the holder of the token must send heartbeats. */
  heartbeats: boolean;
}

/**
 * Calls the integration, unless its answer is in the journal, and waits for the first end of the task: the call (a
 * failure, or without a token any answer), the token's answer, the deadline, or a missing heartbeat. An accepted answer
 * to the token has priority, since its sender was notified that it counts.
 */
export async function attend(visit: Visit, task: Task): Promise<Answer> {
  const ended = visit.read(answerRecord, "ended");
  if (ended !== undefined) return ended;
  const { resource, token } = task;
  const { tokens } = visit.run;
  const first = answerOf(visit, task) ?? (await firstAnswer(visit, task));
  const answer = withinLimit(answerOf(visit, task) ?? first, resource);
  const event =
    "error" in answer
      ? taskFailed(resource, answer.error, answer.cause)
      : taskSucceeded(resource, answer.output);
  visit.write("ended", answer, [event], {
    also: () => {
      if (token !== undefined) tokens.close(token);
    },
  });
  return answer;
}

function answerOf(visit: Visit, task: Task): Answer | undefined {
  return task.token === undefined ? undefined : visit.run.tokens.answerOf(task.token);
}

async function firstAnswer(visit: Visit, task: Task): Promise<Answer> {
  const submitted = visit.read(json, "submitted") !== undefined;
  // A sibling branch may have failed during the restart, before this task continues.
  visit.signal.throwIfAborted();
  // A task whose time ran out while the engine was down is not called.
  if (task.deadline !== undefined && visit.run.clock.now() >= task.deadline) return timedOut;
  const over = new AbortController();
  const signal = AbortSignal.any([visit.signal, over.signal]);
  try {
    const ends: Promise<Answer>[] = [interruption(signal)];
    if (task.deadline !== undefined) ends.push(deadline(visit, task.deadline, signal));
    if (task.token !== undefined) ends.push(tokenAnswer(visit, task, task.token, signal));
    if (task.token !== undefined && task.heartbeats) ends.push(silence(visit, task.token, signal));
    if (!submitted) ends.push(call(visit, task, signal));
    return await Promise.race(ends);
  } finally {
    over.abort(ended);
  }
}

/** One shared error: nobody reads it, and creating an error takes longer than ending a task. */
const ended = new Error("the task has ended");
const timedOut: Answer = { error: "States.Timeout" };

function interruption(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function deadline(visit: Visit, time: number, signal: AbortSignal): Promise<Answer> {
  await visit.until(time, signal);
  return timedOut;
}

async function silence(visit: Visit, token: string, signal: AbortSignal): Promise<Answer> {
  const { tokens, clock } = visit.run;
  for (;;) {
    const due = tokens.beatBy(token);
    if (due === undefined || clock.now() >= due) return { error: "States.HeartbeatTimeout" };
    await visit.until(due, signal);
  }
}

function tokenAnswer(
  visit: Visit,
  task: Task,
  token: string,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve) => {
    const stop = visit.run.tokens.listen(token, () => {
      const answer = answerOf(visit, task);
      if (answer !== undefined) resolve(answer);
    });
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** Resolves with the answer of the call; never resolves where the token ends the task. */
async function call(visit: Visit, task: Task, signal: AbortSignal): Promise<Answer> {
  const answer = await invoke(visit, task);
  if (task.token === undefined || "error" in answer) return answer;
  if (!signal.aborted) {
    visit.write("submitted", true, [taskSubmitted(task.resource, answer.output)]);
  }
  return new Promise(() => undefined);
}

/** Calls the integration. Never rejects: an error is the failure of the task. */
async function invoke(visit: Visit, task: Task): Promise<Answer> {
  const { integrations, closing } = visit.run;
  const { integration } = task.resource;
  const service = integrations[integration];
  if (service === undefined) {
    return { error: "States.Runtime", cause: `There is no integration '${integration}'.` };
  }
  try {
    const result = await service(task.arguments, closing);
    const output = result === undefined ? null : JSON.parse(JSON.stringify(result));
    return withinLimit({ output }, task.resource);
  } catch (error) {
    return failureOf(error);
  }
}

/** The failure of a task, in the form in which Lambda reports an error of a handler. */
function failureOf(thrown: unknown): Answer {
  const errorType = thrown instanceof Error ? thrown.name : typeof thrown;
  const errorMessage = thrown instanceof Error ? thrown.message : String(thrown);
  return { error: errorType, cause: JSON.stringify({ errorType, errorMessage }) };
}

function withinLimit(answer: Answer, resource: Resource): Answer {
  if ("error" in answer || !exceedsDataLimit(answer.output)) return answer;
  const cause = `The task '${resource.integration}' returned a result with a size exceeding the maximum number of bytes service limit.`;
  return { error: "States.DataLimitExceeded", cause };
}
