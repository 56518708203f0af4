import { timestamp } from "../clock.ts";
import type { Deps } from "../kernel/deps.ts";
import { type Publishing, publishOverdue } from "../kernel/events/publish.ts";
import { archived, load } from "../kernel/object/records.ts";
import {
  entryOf,
  outlasted,
  withEntry,
  withoutSpentTokens,
  withoutTokens,
} from "../kernel/saga/entry.ts";
import { endedUnseen, halt } from "../kernel/saga/halt.ts";
import {
  answerGrace,
  endGrace,
  executionGrace,
  isEnded,
  isOpen,
  type Operation,
  type StepEntry,
} from "../kernel/saga/operation.ts";
import { callAgain } from "../kernel/saga/park.ts";
import { pastDeadline } from "../kernel/saga/past-deadline.ts";
import { isLookDue } from "../kernel/saga/rechecks.ts";
import {
  answer,
  cancelOpen,
  edit,
  type SettleDeps,
  type Shapes,
  sagaOf,
  settle,
  skipWaits,
} from "../kernel/saga/settle.ts";
import { overdueSteps, stalledAt } from "../kernel/saga/status.ts";
import { resumeStuck } from "../kernel/saga/stuck.ts";
import type { TaskAnswers, Workflow } from "../kernel/saga/workflow.ts";

/** What the sweep of due operations has. */
export interface DueDeps extends Publishing, SettleDeps {
  workflow: TaskAnswers & Pick<Workflow, "start" | "describe">;
}

/** Repairs a due operation when reports, the stream or the platform have failed to deliver. */
export async function lookAfter(
  deps: DueDeps,
  shapes: Shapes,
  operation: Operation,
): Promise<void> {
  if (isEnded(operation)) return lastLook(deps, operation);
  if (operation.status.state === "PENDING") {
    // Idempotent; an operation that ended before its first step is not started again.
    await deps.workflow.start(operation.spec.saga, operation.id);
    const execution = await deps.workflow.describe(operation.spec.saga, operation.id);
    if (execution && execution.state !== "RUNNING")
      await halt(deps, shapes, operation.id, endedUnseen(execution));
    else await check(deps, operation);
    return;
  }
  if (operation.status.state === "STUCK") return resumeStuck(deps, operation.id);
  const saga = sagaOf(shapes, operation);
  if (operation.cancel && !operation.unwinding) await cancelOpen(deps, saga, operation);
  await skipWaits(deps, saga, operation);
  const now = deps.clock.now();
  for (const [name, entry] of Object.entries(operation.steps)) {
    if (entry.token === undefined) continue;
    if (isOpen(entry)) {
      if (entry.retry_at !== undefined) {
        if (isPast(entry.retry_at, now)) await callAgain(deps, entry);
      } else if (isPast(deadlineOf(deps, entry), now))
        await settle(deps, saga, operation.id, name, {
          error: pastDeadline(entry, now),
          ...(entry.deadline !== undefined && { as: { deadline: entry.deadline } }),
        });
      else if (isLookDue(deps, entry)) await deps.rechecks.request(operation.id, name);
    } else if (isPast(entry.end_time, now - answerGrace)) {
      await answerAgain(deps, operation, name, entry);
    }
  }
  if (newlyOverdue(deps, operation)) await flag(deps, operation);
  const lastWord = Math.max(
    Date.parse(operation.event.time),
    Date.parse(operation.checked_at ?? operation.event.time),
  );
  if (now - lastWord >= executionGrace) await checkExecution(deps, shapes, operation);
}

/** The deadline of a step. It is extended while its system is unreachable. */
const deadlineOf = (deps: DueDeps, entry: StepEntry): string | undefined =>
  (entry.state === "WAITING" ? outlasted(deps, entry) : entry).deadline;

/** Flags a step that takes longer than usual, once; the flag is removed when the step moves on. */
async function flag(deps: DueDeps, { id }: Operation): Promise<void> {
  await edit(deps, id, (operation) => {
    const overdue = newlyOverdue(deps, operation);
    return (
      overdue && { ...operation, status: { ...operation.status, stalled: stalledAt(...overdue) } }
    );
  });
}

const newlyOverdue = ({ clock }: Deps, operation: Operation) =>
  operation.status.stalled ? undefined : overdueSteps(operation, timestamp(clock.now()))[0];

const isPast = (time: string | undefined, now: number): boolean =>
  time !== undefined && Date.parse(time) <= now;

/**
 * Resends the answer of a task, which may have been lost after it was written; a token that is no
 * longer valid counts as delivered.
 */
async function answerAgain(
  deps: DueDeps,
  operation: Operation,
  name: string,
  entry: StepEntry,
): Promise<void> {
  await answer(deps, entry);
  await edit(deps, operation.id, (current) => {
    const now = entryOf(current, name);
    return now.token === entry.token ? withEntry(current, name, withoutTokens(now)) : undefined;
  });
}

/** How long the stream may take to deliver an event. At an operation's last sweep, its end is older than this. */
const streamGrace = endGrace / 2;

/**
 * The last sweep of an operation, a while after its end: makes sure that its end was published. It is repeated while
 * the stream is so late that it may still deliver the event.
 */
async function lastLook(deps: DueDeps, operation: Operation): Promise<void> {
  for (const entry of Object.values(operation.steps)) await answer(deps, entry);
  const { kind, id } = operation.spec.target;
  const target = (await load(deps, kind, id)) ?? (await archived(deps, kind, id));
  // A younger event belongs to a later change.
  const isOwn = target && isPast(target.event.time, deps.clock.now() - streamGrace);
  const told = [
    await publishOverdue(deps, operation),
    !isOwn || (await publishOverdue(deps, target)),
  ];
  await edit(deps, operation.id, (current) => ({
    ...withoutSpentTokens(current, () => true),
    ...(told.every(Boolean) && { swept: true }),
  }));
}

async function check(deps: DueDeps, operation: Operation): Promise<void> {
  const checked_at = timestamp(deps.clock.now());
  await edit(deps, operation.id, (current) => ({ ...current, checked_at }));
}

/** Called when an operation has not changed for long: checks whether its execution is still running. */
async function checkExecution(deps: DueDeps, shapes: Shapes, operation: Operation): Promise<void> {
  const execution = await deps.workflow.describe(operation.spec.saga, operation.id);
  if (execution?.state === "RUNNING") return check(deps, operation);
  await halt(deps, shapes, operation.id, endedUnseen(execution));
}
