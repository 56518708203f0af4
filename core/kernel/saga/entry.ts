import { bounds, cut } from "../../bounds.ts";
import { minutes, seconds, timestamp } from "../../clock.ts";
import type { AppError } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { liveLeases } from "./leases.ts";
import { isOpen, type Operation, type StepEntry } from "./operation.ts";
import { type ActionShape, outageLimit, type Pending } from "./saga.ts";

/** Changes of one entry of an operation. Pure, so that they can run inside any write. */

export const newEntry = (position: number): StepEntry => ({
  position,
  state: "PENDING",
  attempts: 0,
});

export function withEntry(operation: Operation, name: string, entry: StepEntry): Operation {
  return { ...operation, steps: { ...operation.steps, [name]: entry } };
}

export const entryOf = (operation: Operation, name: string): StepEntry =>
  operation.steps[name] ?? newEntry(Object.keys(operation.steps).length);

/** An attempt that begins, and when its lease ends (ms). */
export interface NewAttempt {
  id: string;
  leaseEnd: number;
}

/**
 * The entry when an attempt begins: with the tokens to answer, the newest first, with the attempt's lease, and with the
 * step's deadline.
 */
export function begunStep(
  deps: Deps,
  before: StepEntry,
  attempt: NewAttempt & { tokens: string[]; action: ActionShape },
): StepEntry {
  const now = deps.clock.now();
  const entry = withTokens(outlasted(deps, before), attempt.tokens);
  const { look_at: _, error: __, end_time: ___, retry_at: ____, ...rest } = entry;
  const { system } = attempt.action;
  return {
    ...rest,
    ...(system === undefined ? {} : { system: system.name }),
    state: "RUNNING",
    attempts: entry.attempts + 1,
    start_time: entry.start_time ?? timestamp(now),
    // A step that failed and is tried again after a resume has its full time again.
    deadline: entry.deadline ?? timestamp(now + attempt.action.deadline),
    usual_end: entry.usual_end ?? timestamp(now + longest(attempt.action)),
    attempt: attempt.id,
    leases: { ...liveLeases(deps, entry), [attempt.id]: attempt.leaseEnd },
  };
}

/** The limit of tokens besides the newest: no more than this many deliveries of tasks overtake each other. */
const earlierTokens = 3;

/** The tokens that get the step's answer: at most one of them belongs to a waiting task. */
export const tokensOf = ({ token, earlier_tokens = [] }: StepEntry): string[] =>
  token === undefined ? [] : [token, ...earlier_tokens];

/** The entry with these tokens, the newest first, in front of its own. */
function withTokens(entry: StepEntry, tokens: string[]): StepEntry {
  const [token, ...earlier] = new Set([...tokens, ...tokensOf(entry)]);
  return {
    ...withoutTokens(entry),
    ...(token !== undefined && { token }),
    ...(earlier.length > 0 && { earlier_tokens: earlier.slice(0, earlierTokens) }),
  };
}

/** The entry of a step whose answer has arrived, or whose tokens are spent. */
export function withoutTokens(entry: StepEntry): StepEntry {
  const { token: _, earlier_tokens: __, ...rest } = entry;
  return rest;
}

/** The time after which a step counts as stalled: three times its usual time, at least ten minutes. */
const longest = ({ usually = 0 }: ActionShape): number => Math.max(3 * usually, minutes(10));

/** The entry when an attempt begins to look. */
export function beganLook(deps: Deps, before: StepEntry, attempt: NewAttempt): StepEntry {
  const { again: _, ...rest } = outlasted(deps, before);
  const leases = { ...liveLeases(deps, before), [attempt.id]: attempt.leaseEnd };
  return { ...rest, attempt: attempt.id, leases };
}

/** Whether the writes of an attempt count: no newer attempt has begun, and the step has not ended. */
export const isCurrent = (entry: StepEntry, attempt: string): boolean => entry.attempt === attempt;

/**
 * The entry with a deadline that is extended by the time since the last failed try; unchanged if the last try did not
 * fail. An attempt begins with it, so that an outage that begins just before the deadline counts too.
 */
export const outlasted = (deps: Deps, entry: StepEntry): StepEntry =>
  entry.away_at === undefined ? entry : outlasting(deps, entry);

/**
 * The entry after a failed try: its deadline is extended by the time since the failed try before, to at most a day
 * after the step began.
 */
export function outlasting(deps: Deps, entry: StepEntry): StepEntry {
  const now = deps.clock.now();
  if (entry.away_at === undefined) return { ...entry, away_at: timestamp(now) };
  const since = now - Date.parse(entry.away_at);
  const away = { ...entry, away_at: timestamp(now), away_for: (entry.away_for ?? 0) + since };
  if (entry.deadline === undefined) return away;
  const later = Date.parse(entry.deadline) + since;
  const latest = Date.parse(entry.start_time ?? away.away_at) + outageLimit;
  return {
    ...away,
    deadline: timestamp(Math.max(Date.parse(entry.deadline), Math.min(later, latest))),
  };
}

/**
 * How long (ms) a step has waited, without the time in which its system was unreachable; undefined for a step that does
 * not wait.
 */
export const waitedFor = (
  { waiting_since: since, away_for = 0 }: StepEntry,
  now: number,
): number | undefined => (since === undefined ? undefined : now - Date.parse(since) - away_for);

/** The pause before the next check of a step with `lookAgain: 0`, which would otherwise check without end. */
const soonest = seconds(10);

/**
 * The entry of a step that has acted and now waits. `outage`: the reason why the world could not be read, and the
 * system that blocks the step, if it is not the step's own.
 */
export function waiting(
  deps: Deps,
  entry: StepEntry,
  outcome: Pending,
  outage?: Pick<AppError, "from" | "call" | "refused">,
): StepEntry {
  const message = reasonIn(outcome.waitingFor);
  const tried = outage ? withFailedAttempt(deps, entry, { ...outage, message }) : entry;
  const { look_at: _, blocked_by: __, retry_at: ___, call: ____, ...rest } = tried;
  return {
    ...rest,
    state: "WAITING",
    ...blockedBy(outage),
    waiting_since: rest.waiting_since ?? timestamp(deps.clock.now()),
    message,
    ...(outcome.lookAgain === undefined
      ? {}
      : { look_at: timestamp(deps.clock.now() + (outcome.lookAgain || soonest)) }),
  };
}

/** The system and the call that keep a step waiting, from an error. */
const blockedBy = ({ from, call }: Pick<AppError, "from" | "call"> = { call: undefined }) => ({
  ...(from && { blocked_by: from }),
  ...(call !== undefined && { call: cut(call, bounds.name) }),
});

/** The number of failed attempts that an entry keeps. */
const attemptsKept = 5;

/** The entry with one more failed attempt, the newest first. */
const withFailedAttempt = (
  deps: Deps,
  entry: StepEntry,
  { message, call, refused }: Pick<AppError, "message" | "call" | "refused">,
): StepEntry => ({
  ...entry,
  failed_attempts: [
    {
      time: timestamp(deps.clock.now()),
      message: cut(message, bounds.line),
      ...(refused ?? (call !== undefined && { call: cut(call, bounds.name) })),
    },
    ...(entry.failed_attempts ?? []).slice(0, attemptsKept - 1),
  ],
});

/** Limited, because an operation has many steps, each with a reason. */
const reasonIn = (text: string): string => cut(text, bounds.reason);

/**
 * The entry of a step that is done or has failed, without the members of an open step. The token stays until the saga
 * has moved on, so that the answer can be sent again.
 */
export function answered(deps: Deps, entry: StepEntry, error?: AppError): StepEntry {
  // A cancel is no answer to an attempt.
  const hasFailed = error !== undefined && error.kind !== "Cancelled";
  const tried = hasFailed ? withFailedAttempt(deps, entry, error) : entry;
  const { look_at, retry_at, message, waiting_since, blocked_by, deadline, usual_end, ...left } =
    tried;
  const { attempt: _, away_at: __, away_for: ___, call: ____, ...rest } = left;
  return {
    ...rest,
    state: error ? "FAILED" : "SUCCEEDED",
    end_time: timestamp(deps.clock.now()),
    ...(error && { message: reasonIn(error.message), error: error.kind }),
    ...(error?.call !== undefined && { call: error.call }),
  };
}

/**
 * The entry of a step without anything to do: an undo whose do never ran, whose result is kept, or
 * whose work another operation does.
 */
export const skipped = (deps: Deps, entry: StepEntry): StepEntry => ({
  ...answered(deps, entry),
  state: "SKIPPED",
});

/**
 * The operation with the open ones of these steps marked as failed. So a running attempt at them has no further effect.
 * No task waits for their answers any more.
 */
export function withOpenFailed(
  deps: Deps,
  operation: Operation,
  names: string[],
  error: AppError,
): Operation {
  const open = names.filter((name) => isOpen(entryOf(operation, name)));
  return open.reduce(
    (current, name) =>
      withEntry(current, name, withoutTokens(answered(deps, entryOf(current, name), error))),
    operation,
  );
}

/** The entry of a step that cannot continue now. */
function interrupted(deps: Deps, entry: StepEntry, error: AppError): StepEntry {
  const { look_at: _, blocked_by: __, call: ___, ...rest } = outlasting(deps, entry);
  const since = rest.waiting_since ?? timestamp(deps.clock.now());
  return {
    ...rest,
    state: "RUNNING",
    message: reasonIn(error.message),
    ...blockedBy(error),
    waiting_since: since,
  };
}

/**
 * The entry of an interrupted step. Its answer spends its tokens, and Step Functions calls again with a new one. A step
 * of a phase keeps its tokens until that call: a worker that Step Functions has not called may die before it answers,
 * and only the sweep notices that.
 */
export function retrying(deps: Deps, entry: StepEntry, error: AppError): StepEntry {
  const left = interrupted(deps, withFailedAttempt(deps, entry, error), error);
  return entry.retry_at === undefined ? withoutTokens(left) : withRetry(deps, left);
}

/** How long a step of a phase may make no progress before Step Functions is asked to call again. */
const standstill = minutes(5);

/** The entry of a step in a running phase: without progress, the sweep has Step Functions call it again. */
export const withRetry = (deps: Deps, entry: StepEntry): StepEntry => ({
  ...entry,
  retry_at: timestamp(deps.clock.now() + standstill),
});

/** The entry of a step that a worker of another zone is asked to begin. */
export function handedOver(deps: Deps, entry: StepEntry, tokens: string[]): StepEntry {
  const { look_at: _, error: __, end_time: ___, ...rest } = withTokens(entry, tokens);
  return withRetry(deps, { ...rest, state: "RUNNING" });
}

/** Whether a step may be begun by a worker that Step Functions has not called. */
export const isHandedOver = ({ state, token, retry_at }: StepEntry): boolean =>
  state === "RUNNING" && token !== undefined && retry_at !== undefined;

/** How long a task is kept for an unreachable hub, unless a sweep finds the hub reachable before. */
const longestParked = minutes(60);

/** The entry of an attempt that is interrupted until its hub answers again; it keeps its tokens until then. */
export const parked = (deps: Deps, entry: StepEntry, error: AppError): StepEntry =>
  untilReached(deps, withFailedAttempt(deps, entry, error), error);

const untilReached = (deps: Deps, entry: StepEntry, error: AppError): StepEntry => ({
  ...interrupted(deps, entry, error),
  retry_at: timestamp(deps.clock.now() + longestParked),
});

/** Whether a step waits for reports, and has no look planned. */
export const awaitsNews = ({ state, look_at }: StepEntry): boolean =>
  state === "WAITING" && look_at === undefined;

/**
 * The entry of a step that waits for reports of a hub that has been unreachable since then (RFC 3339). It is kept like
 * an interrupted step, but reports can still end the wait. No attempt of its own failed.
 */
export function parkedWait(
  deps: Deps,
  entry: StepEntry,
  error: AppError,
  since: string,
): StepEntry {
  const { start_time = since, away_at = start_time > since ? start_time : since } = entry;
  return { ...untilReached(deps, { ...entry, away_at }, error), state: "WAITING" };
}

/** Whether the step ended well: done, or without anything to do. */
export const isDone = ({ state }: StepEntry): boolean =>
  state === "SUCCEEDED" || state === "SKIPPED";

/**
 * Drops the tokens of ended steps for which `before` holds. The saga has moved on from them, so their answers have
 * arrived. The steps of sibling branches keep theirs: those answers may not have arrived yet.
 */
export function withoutSpentTokens(
  operation: Operation,
  before: (name: string) => boolean,
): Operation {
  const steps = Object.fromEntries(
    Object.entries(operation.steps).map(([name, entry]) => {
      const ended = isDone(entry) || entry.state === "FAILED";
      if (entry.token === undefined || !ended || !before(name)) return [name, entry];
      return [name, withoutTokens(entry)];
    }),
  );
  return { ...operation, steps };
}
