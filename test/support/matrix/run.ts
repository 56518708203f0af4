import { expect } from "vitest";
import { AppError } from "../../../core/error.ts";
import { targetPartition } from "../../../core/kernel/object/keys.ts";
import { objectIn } from "../../../core/kernel/object/records.ts";
import type { Context } from "../../../core/kernel/saga/context.ts";
import { isEnded } from "../../../core/kernel/saga/operation.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";
import type { Laptop } from "../laptop.ts";
import { type Arrival, expecting, Gate } from "./arrivals.ts";
import type { Combination } from "./derive.ts";
import { type Ending, endOf, endsOf, type Place } from "./ends.ts";
import { Play } from "./play.ts";
import { type Change, changeOf, type End, type Seen, type Stage, type Subject } from "./stage.ts";
import { besides, type Failing, rewired, sagaOf } from "./states.ts";
import { type Way, wayOf } from "./ways.ts";

/**
 * Runs a case of the matrix through the saga's emitted ASL, against simulated systems, in virtual time.
 * Afterwards the books have to balance, and the operation has to say what is true.
 */

/** What is counted over the cases of a file. */
export interface Counts {
  run: number;
  /** The way came to nothing that it is about: the state makes no such call in this change. */
  idle: number;
  lost: number;
  leaked: number;
  stuck: number;
}

export const newCounts = (): Counts => ({ run: 0, idle: 0, lost: 0, leaked: 0, stuck: 0 });

interface Case {
  subject: Subject;
  combination: Combination;
  counts: Counts;
}

export async function runCase({ subject, combination, counts }: Case): Promise<void> {
  const { saga: name, state, how, failing } = combination;
  const saga = sagaOf(subject.sagas, name);
  const change = changeOf(subject, name, combination.change);
  const place: Place = {
    irreversible: saga.irreversible === true,
    isCreate: name.endsWith("-create"),
    holds: change.holds === true,
    state: state.name,
    isUndo: state.isUndo,
    ...(failing && { failing: failing.step }),
  };
  const sagas = failing ? turningBack(subject.sagas, name, failing) : subject.sagas;
  const play = new Play(state.name);
  const run = { subject, change, name, sagas, play, place, combination, counts };
  if ("way" in how) await withWay(run, wayOf(how.way));
  else await withArrival(run, how.arrival);
}

interface Run {
  subject: Subject;
  change: Change;
  name: string;
  sagas: Sagas;
  play: Play;
  place: Place;
  combination: Combination;
  counts: Counts;
}

/**
 * The sagas, of which one turns back in its first operation: as soon as the step has begun, or when it
 * is all but done.
 */
function turningBack(sagas: Sagas, name: string, { step, at }: Failing): Sagas {
  let first: string | undefined;
  const refuse = ({ operation }: Context): void => {
    first ??= operation.id;
    if (operation.id === first) throw new AppError("Rejected", "turned back on purpose");
  };
  return rewired(sagas, name, (state, action) => {
    if (state !== step) return action;
    const { act, until } = action;
    if (until && (at === "end" || !act))
      return {
        ...action,
        until: async (target, context) => {
          const outcome = await until(target, context);
          if (outcome.done) refuse(context);
          return outcome;
        },
      };
    return {
      ...action,
      act: async (target, context) => {
        await act?.(target, context);
        refuse(context);
      },
    };
  });
}

async function opened({ change, play }: Run, sagas: Sagas): Promise<Stage> {
  const stage = await change.open({ sagas, outside: play.outside, invoke: play.invoke });
  play.begin(stage);
  return stage;
}

async function withWay(run: Run, way: Way): Promise<void> {
  const { name, place, play, counts, subject, combination } = run;
  const stage = await opened(
    run,
    rewired(run.sagas, name, (state, action) =>
      state === place.state ? way.wrap(action, play) : action,
    ),
  );
  const id = await stage.start();
  let operation = await ended(stage, id, counts);
  const possible = endsOf(place, play.hasMet ? way.leads : "on");
  if (!play.hasMet) counts.idle += 1;
  const isStuck = operation.state === "STUCK";
  const allowed = possible.filter(({ stuckAt }) => (stuckAt !== undefined) === isStuck);
  expect(allowed, `${operation.state} ${JSON.stringify(operation.failure)}`).not.toEqual([]);
  if (isStuck) {
    expect(operation.failure).toMatchObject({ step: place.state, ...kindOf(way) });
    operation = await resumed(stage, id, operation, run);
  }
  const ending = allowed.find((each) => each.operation === operation.state);
  expect(ending, `${operation.state} ${JSON.stringify(operation.failure)}`).toBeDefined();
  if (!ending) return;
  if (ending.failedIn === place.state)
    expect(operation.failure).toMatchObject({ step: place.state, ...kindOf(way) });
  else if (ending.failedIn !== undefined)
    expect(operation.failure).toMatchObject({ step: ending.failedIn });
  if (ending.operation === "CANCELLED")
    // Whichever was open of those that run side by side is told first.
    expect(besides(sagaOf(subject.sagas, name), combination.state.step)).toContain(
      operation.failure?.step,
    );
  await closed(run, stage, id, ending);
}

const kindOf = ({ kind }: Way) => (kind ? { kind } : {});

/** Finds everything in order; what is held is asked for again, and then is as it was to be. */
async function closed(run: Run, stage: Stage, id: string, { end }: Pick<Ending, "end">) {
  await closeBooks(stage, id, end, run.counts);
  if (end !== "held") return;
  run.play.isMended = true;
  await stage.again(id);
  expect((await ended(stage, id, run.counts)).state).toBe("SUCCEEDED");
  await closeBooks(stage, id, "done", run.counts);
}

async function withArrival(run: Run, arrival: Arrival): Promise<void> {
  const { name, place, play, counts, combination } = run;
  const { state } = combination;
  const gate = new Gate();
  const stage = await opened(run, expecting(run.sagas, name, { arrival, state, gate, play }));
  const id = await stage.start();
  const under = await reached(stage, id, { arrival, state: state.name, gate });
  if (arrival.moment === "when it is stuck") counts.stuck += 1;
  const { isAccepted, operation, next, end } = endOf(place, arrival);
  if (arrival.request === "the same again") play.isMended = true;
  expect(await asked(stage, id, under, arrival)).toBe(isAccepted);
  gate.open();
  play.hasMet = true;
  play.isMended = true;
  if (arrival.moment === "when it is stuck" && operation !== "CANCELLED") {
    await stage.resume(under);
    await stage.laptop.pass(60_000);
  }
  await over(stage, under);
  const last = await ended(stage, id, counts);
  expect((await stage.operation(under)).state).toBe(operation);
  expect(last.id === under ? undefined : last.state).toBe(next);
  await closeBooks(stage, id, end, counts);
}

/** Runs until the moment at which the request arrives, and answers the operation. */
async function reached(
  stage: Stage,
  id: string,
  { arrival, state, gate }: { arrival: Arrival; state: string; gate: Gate },
): Promise<string> {
  const isThere = ({ state: is, steps }: Seen): boolean => {
    switch (arrival.moment) {
      case "as it runs":
        return gate.isReached;
      case "as it waits":
        return steps[state] === "WAITING";
      case "when it has succeeded":
        return steps[state] === "SUCCEEDED";
      case "when it is stuck":
        return is === "STUCK";
      case "when it has failed":
        return is === "FAILED";
    }
  };
  let seen: Seen | undefined;
  await stage.laptop.until(async () => {
    seen = await stage.newest(id);
    return seen !== undefined && isThere(seen);
  }, `${state} ${arrival.moment}`);
  if (!seen) throw new Error("there is no operation");
  return seen.id;
}

/** Asks, and answers whether that was accepted. */
async function asked(
  stage: Stage,
  id: string,
  operation: string,
  { request }: Arrival,
): Promise<boolean> {
  switch (request) {
    case "a cancel":
      return stage.cancel(operation);
    case "a delete":
      await stage.remove(id);
      return true;
    case "a new wish":
      return stage.wish(id);
    case "the same again":
      await stage.again(id);
      return true;
  }
}

/** Once the case has ended: finds everything in order. */
export async function closeBooks(
  stage: Stage,
  id: string,
  end: End,
  counts: Counts,
): Promise<void> {
  await stage.laptop.pass(10 * 60_000);
  const wrong = await stage.wrong(id, end);
  if (wrong.length > 0) counts.leaked += 1;
  expect(wrong).toEqual([]);
  await stage.expectEnd(id, end);
}

/** Runs until the last operation on the target has ended, or is stuck, and answers that. */
export async function ended(stage: Stage, id: string, counts: Counts): Promise<Seen> {
  try {
    await stage.laptop.until(() => isOver(stage.laptop, id), `the end of the operation on ${id}`);
  } catch (error) {
    counts.lost += 1;
    throw error;
  }
  await stage.laptop.pass(2000);
  const operation = await stage.newest(id);
  if (!operation) throw new Error(`there is no operation on ${id}`);
  return operation;
}

/** Runs until this operation has ended; another may follow it. */
const over = (stage: Stage, operation: string): Promise<void> =>
  stage.laptop.until(
    async () => /SUCCEEDED|FAILED|CANCELLED|STUCK/.test((await stage.operation(operation)).state),
    "the end of the operation under test",
  );

/** A target that was archived has its operations still. */
async function isOver({ deps: { store, kinds } }: Laptop, id: string): Promise<boolean> {
  const query = { index: "g3", pk: targetPartition(id), reverse: true, limit: 1 } as const;
  const [last] = (await store.query(query)).items;
  const operation = last && objectIn<"operation">(kinds, last);
  return operation !== undefined && (isEnded(operation) || operation.status.state === "STUCK");
}

async function resumed(stage: Stage, id: string, stuck: Seen, run: Run): Promise<Seen> {
  run.counts.stuck += 1;
  run.play.isMended = true;
  await stage.resume(stuck.id);
  await stage.laptop.pass(60_000);
  return ended(stage, id, run.counts);
}
