import { timestamp } from "../../clock.ts";
import { isOpen, type Operation, type StepEntry } from "./operation.ts";
import { longestPause } from "./saga.ts";
import type { Wait } from "./wait.ts";

/** Members of the API's answer that differ from the stored operation. */

/** The status in the form of the API. */
export function statusShown(operation: Operation) {
  const { found_from: _, ...status } = operation.status;
  const { position, reason } = operation.placement ?? {};
  const open = Object.values(operation.steps).filter(isOpen);
  const waiting = waitsOf(operation);
  const waitingFor = waiting[0]?.message;
  const isQueued = waiting.some(({ message }) => message === reason);
  const deadline = open.flatMap((entry) => entry.deadline ?? []).sort()[0];
  return {
    ...status,
    queued: operation.queued,
    steps: inOrder(operation).map(([name, entry]) => stepShown(name, entry)),
    percent: percentOf(operation),
    cancel_requested: operation.cancel !== undefined,
    resume_requested: operation.resume !== undefined,
    waiting,
    ...(operation.diagnostics?.length ? { diagnostics: operation.diagnostics } : {}),
    ...(waitingFor === undefined ? {} : { waiting_for: waitingFor }),
    ...(position !== undefined && isQueued ? { queue_position: position } : {}),
    ...(operation.estimate === undefined || status.end_time !== undefined
      ? {}
      : { estimate: operation.estimate }),
    ...(operation.usually === undefined
      ? {}
      : { usual_seconds: Math.round(operation.usually / 1000) }),
    ...(deadline === undefined ? {} : { deadline }),
    ...placementShown(operation),
  };
}

function placementShown({ placement }: Operation) {
  if (!placement) return {};
  const { position: _, walked: __, ...rest } = placement;
  return { placement: rest };
}

/** Sorts the steps by position, because a store may keep members in any order. */
const inOrder = ({ steps }: Operation): [string, StepEntry][] =>
  Object.entries(steps).sort(([, a], [, b]) => a.position - b.position);

function stepShown(name: string, entry: StepEntry) {
  const { state, attempts, start_time, end_time, system, message, deadline } = entry;
  const { failed_attempts } = entry;
  return {
    name,
    state,
    attempts,
    ...(system === undefined ? {} : { system }),
    ...(start_time === undefined ? {} : { start_time }),
    ...(end_time === undefined ? {} : { end_time }),
    ...(message === undefined ? {} : { message }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(failed_attempts === undefined ? {} : { failed_attempts }),
  };
}

/**
 * The progress in percent: 100 only for an operation that has succeeded. An operation that turns back keeps its last
 * value.
 */
export function percentOf({ status, steps, spec }: Operation): number {
  if (status.state === "SUCCEEDED") return 100;
  // A deletion consists of undos, so its steps are shown as its own.
  const counts = (name: string) => spec.change === "DELETE" || !name.startsWith("Undo ");
  const entries = Object.entries(steps).filter(([name]) => counts(name));
  if (entries.length === 0) return 0;
  const ended = entries.filter(
    ([, { state }]) => state === "SUCCEEDED" || state === "SKIPPED",
  ).length;
  return Math.min(99, Math.floor((100 * ended) / entries.length));
}

/** The waits of an operation. A step between two attempts counts as waiting, because it has a reason. */
export const waitsOf = (operation: Operation): Wait[] =>
  inOrder(operation).flatMap(([step, entry]) => {
    const { state, blocked_by, message, waiting_since, start_time } = entry;
    if ((state !== "WAITING" && state !== "RUNNING") || !message) return [];
    const { system = entry.system, instance } = blocked_by ?? {};
    const since = waiting_since ?? start_time;
    return [
      {
        step,
        ...(system === undefined ? {} : { system }),
        ...(instance === undefined ? {} : { instance }),
        message,
        ...(since === undefined ? {} : { since }),
        ...triesOf(entry),
      },
    ];
  });

/**
 * For a step whose last attempt did not reach its system: the call, the number of attempts, and the time of the
 * next.
 */
function triesOf({ call, attempts, away_at, look_at, retry_at }: StepEntry): Partial<Wait> {
  if (away_at === undefined) return {};
  const again = look_at ?? retry_at ?? timestamp(Date.parse(away_at) + longestPause);
  return {
    ...(call === undefined ? {} : { call }),
    ...{ attempts, last_attempt_time: away_at, next_attempt_time: again },
  };
}
