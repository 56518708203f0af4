import { at, isRecord, list, text } from "../output/values.ts";

/** The members of an operation that its followers read. */
export interface FollowedOperation {
  id: string;
  change: string;
  target: { kind: string; name: string; id: string };
  /** The state without its prefix, such as RUNNING. */
  state: string;
  percent: number;
  estimate: string;
  /** The usual duration, and the time beyond the estimate, in seconds; 0 where unknown or not late. */
  usual: number;
  beyond: number;
  start: string;
  deadline: string;
  steps: FollowedStep[];
  failure: string;
  stalled: string;
  queuePosition: number | undefined;
  placement: string;
  cancelRequested: boolean;
  /**
   * Whether somebody has requested that the operation continue. Until it continues, its state is
   * STUCK.
   */
  resumeRequested: boolean;
}

export interface FollowedStep {
  name: string;
  state: string;
  attempts: number;
  start: string;
  end: string;
  system: string;
  message: string;
}

export function operationIn(body: unknown): FollowedOperation {
  const status = (path: string): unknown => at(body, `status.${path}`);
  const target = (member: string): string => text(at(body, `spec.target.${member}`));
  const position = status("queue_position");
  const failed = text(status("failure.step"));
  return {
    id: text(at(body, "id")),
    change: text(at(body, "spec.change")),
    target: { kind: target("kind"), name: target("name"), id: target("id") },
    state: text(status("state")).replace("OPERATION_STATE_", ""),
    percent: Number(status("percent") ?? 0),
    estimate: text(status("estimate")),
    usual: Number(status("usual_seconds") ?? 0),
    beyond: Number(status("estimate_beyond_seconds") ?? 0),
    start: text(status("start_time")),
    deadline: text(status("deadline")),
    steps: list(status("steps")).map(stepIn),
    failure: failed && `${failed}: ${text(status("failure.message"))}`,
    stalled: text(status("stalled.message")),
    queuePosition: typeof position === "number" ? position : undefined,
    placement: text(status("placement.reason")),
    cancelRequested: status("cancel_requested") === true,
    resumeRequested: status("resume_requested") === true,
  };
}

function stepIn(step: unknown): FollowedStep {
  const { name, state, attempts, start_time, end_time, system, message } = isRecord(step)
    ? step
    : {};
  return {
    name: text(name),
    state: text(state),
    attempts: Number(attempts ?? 0),
    start: text(start_time),
    end: text(end_time),
    system: text(system),
    message: text(message),
  };
}

/** Whether the operation has stopped until somebody requests that it continue. */
export const hasEnded = ({ state, resumeRequested }: FollowedOperation): boolean =>
  /^(SUCCEEDED|FAILED|CANCELLED)$/.test(state) || (state === "STUCK" && !resumeRequested);
