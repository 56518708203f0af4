/** History events in the form of GetExecutionHistory; only those that the engine writes. */
import type { Json } from "../../core/kernel/store/store.ts";
import type { Resource } from "./resource.ts";

/** An event without its position in the history. */
export interface NewEvent {
  type: string;
  [details: `${string}Details`]: { [member: string]: Json };
}

export interface HistoryEvent extends NewEvent {
  id: number;
  /** The previous event's id; 0 for the first event. */
  previousEventId: number;
  /** Seconds since the epoch, with a fraction. */
  timestamp: number;
}

type Ending = "SUCCEEDED" | "FAILED" | "TIMED_OUT" | "ABORTED";

const complete = { truncated: false };

/** Drops undefined members, which JSON does not have. */
function given(members: Record<string, Json | undefined>): { [member: string]: Json } {
  const kept = Object.entries(members).filter((entry): entry is [string, Json] => {
    return entry[1] !== undefined;
  });
  return Object.fromEntries(kept);
}

export function executionStarted(input: string, roleArn: string): NewEvent {
  const executionStartedEventDetails = { input, inputDetails: complete, roleArn };
  return { type: "ExecutionStarted", executionStartedEventDetails };
}

export interface Ended {
  status: Ending;
  /** The output as JSON text, if the execution succeeded. */
  output?: string | undefined;
  error?: string | undefined;
  cause?: string | undefined;
}

export function executionEnded({ status, output, error, cause }: Ended): NewEvent {
  switch (status) {
    case "SUCCEEDED": {
      const executionSucceededEventDetails = given({ output, outputDetails: complete });
      return { type: "ExecutionSucceeded", executionSucceededEventDetails };
    }
    case "FAILED":
      return { type: "ExecutionFailed", executionFailedEventDetails: given({ error, cause }) };
    case "TIMED_OUT":
      return { type: "ExecutionTimedOut", executionTimedOutEventDetails: given({ error, cause }) };
    case "ABORTED":
      return { type: "ExecutionAborted", executionAbortedEventDetails: given({ error, cause }) };
  }
}

export function stateEntered(stateType: string, name: string, input: Json): NewEvent {
  const details = { name, input: JSON.stringify(input), inputDetails: complete };
  return { type: `${stateType}StateEntered`, stateEnteredEventDetails: details };
}

export function stateExited(
  stateType: string,
  name: string,
  output: Json,
  assigned: Record<string, Json> | undefined,
): NewEvent {
  const texts = Object.entries(assigned ?? {}).map(([key, value]) => [key, JSON.stringify(value)]);
  const details = given({
    name,
    output: JSON.stringify(output),
    outputDetails: complete,
    assignedVariables: assigned && Object.fromEntries(texts),
    assignedVariablesDetails: assigned && complete,
  });
  return { type: `${stateType}StateExited`, stateExitedEventDetails: details };
}

export function evaluationFailed(
  state: string,
  location: string,
  error: string | undefined,
  cause: string | undefined,
): NewEvent {
  const evaluationFailedEventDetails = given({ error, cause, location, state });
  return { type: "EvaluationFailed", evaluationFailedEventDetails };
}

function of(resource: Resource): { resourceType: string; resource: string } {
  return { resourceType: resource.type, resource: resource.action };
}

export function taskScheduled(
  resource: Resource,
  parameters: Json,
  timeoutInSeconds: number | undefined,
  heartbeatInSeconds: number | undefined,
): NewEvent {
  const taskScheduledEventDetails = given({
    ...of(resource),
    region: "us-east-1",
    parameters: JSON.stringify(parameters),
    timeoutInSeconds,
    heartbeatInSeconds,
  });
  return { type: "TaskScheduled", taskScheduledEventDetails };
}

export function taskStarted(resource: Resource): NewEvent {
  return { type: "TaskStarted", taskStartedEventDetails: of(resource) };
}

export function taskSubmitted(resource: Resource, output: Json): NewEvent {
  const details = { ...of(resource), output: JSON.stringify(output), outputDetails: complete };
  return { type: "TaskSubmitted", taskSubmittedEventDetails: details };
}

export function taskSucceeded(resource: Resource, output: Json): NewEvent {
  const details = { ...of(resource), output: JSON.stringify(output), outputDetails: complete };
  return { type: "TaskSucceeded", taskSucceededEventDetails: details };
}

export function taskFailed(
  resource: Resource,
  error: string | undefined,
  cause: string | undefined,
): NewEvent {
  const details = given({ ...of(resource), error, cause });
  return error === "States.Timeout" || error === "States.HeartbeatTimeout"
    ? { type: "TaskTimedOut", taskTimedOutEventDetails: details }
    : { type: "TaskFailed", taskFailedEventDetails: details };
}

export function mapStarted(length: number): NewEvent {
  return { type: "MapStateStarted", mapStateStartedEventDetails: { length } };
}

export function mapIteration(
  what: "Started" | "Succeeded" | "Failed" | "Aborted",
  name: string,
  index: number,
): NewEvent {
  const event: NewEvent = { type: `MapIteration${what}` };
  event[`mapIteration${what}EventDetails`] = { name, index };
  return event;
}
