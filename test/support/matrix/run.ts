import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { AppError } from "../../../core/error.ts";
import type { Context } from "../../../core/kernel/saga/context.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";
import { withArrival } from "./arrive.ts";
import { opened, type Run } from "./case.ts";
import { type Counts, closeBooks, ended } from "./close.ts";
import type { Combination } from "./derive.ts";
import { type Ending, endsOf, type Place } from "./ends.ts";
import { Play } from "./play.ts";
import { changeOf, type Seen, type Stage, type Subject } from "./stage.ts";
import { besides, type Failing, rewired, sagaOf } from "./states.ts";
import type { Way } from "./way.ts";
import { wayOf } from "./ways.ts";

/**
 * Runs a case of the matrix through the saga's emitted ASL, against simulated systems, in virtual time.
 * Afterwards the books have to balance, and the operation has to say what is true.
 */

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
    broken: [],
    ...(failing && { failing: failing.step }),
  };
  const play = new Play(saga, state.name);
  const sagas = failing ? turningBack(subject.sagas, name, failing, play) : subject.sagas;
  const run = { subject, change, name, sagas, play, place, combination, counts };
  if ("way" in how) await withWay(run, wayOf(how.way));
  else await withArrival(run, how.arrival);
}

/**
 * The sagas, of which one turns back in its first operation: as soon as the step has begun, or when it
 * is all but done.
 */
function turningBack(sagas: Sagas, name: string, { step, at }: Failing, play: Play): Sagas {
  let first: string | undefined;
  const refuse = ({ operation }: Context): void => {
    if (operation.spec.target.id === play.neighbour) return;
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

async function withWay(run: Run, way: Way): Promise<void> {
  const { name, place, play, counts, subject, combination } = run;
  const { next } = combination;
  const plays = [play, ...(next ? [new Play(sagaOf(subject.sagas, name), next.name)] : [])];
  const stage = await opened(
    run,
    rewired(run.sagas, name, (state, action) => {
      const broken = plays.find((each) => each.state === state);
      return broken ? way.wrap(action, broken) : action;
    }),
  );
  const neighbour = way.withNeighbour && (await stage.orderNeighbour());
  if (neighbour) play.neighbour = neighbour.id;
  const id = await stage.start();
  const { operation, stuckAt } = await resumedUntilOver(run, stage, id, { way, plays });
  const broken = plays.flatMap(({ state, hasMet }) =>
    hasMet ? Array<string>(way.resumes ?? 1).fill(state) : [],
  );
  if (!play.hasMet) counts.idle += 1;
  const possible = endsOf({ ...place, broken }, play.hasMet ? way.leads : "on");
  const ending = possible.find(
    (each) => each.operation === operation.state && isDeepStrictEqual(each.stuckAt, stuckAt),
  );
  const was = `${operation.state} ${JSON.stringify(operation.failure)}, was stuck at [${stuckAt}]`;
  expect(ending, was).toBeDefined();
  if (!ending) return;
  if (neighbour) await neighbour.expectMade();
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

/** Runs until the operation is over, and has it go on where it is stuck, as a person would. */
async function resumedUntilOver(
  { counts }: Run,
  stage: Stage,
  id: string,
  { way, plays }: { way: Way; plays: readonly Play[] },
): Promise<{ operation: Seen; stuckAt: string[] }> {
  const stuckAt: string[] = [];
  for (;;) {
    const operation = await ended(stage, id, counts);
    const { state, failure } = operation;
    const broken = plays.find((each) => each.state === failure?.step);
    if (state !== "STUCK" || !broken || broken.isMended) return { operation, stuckAt };
    expect(failure).toMatchObject(kindOf(way));
    stuckAt.push(broken.state);
    counts.stuck += 1;
    broken.isMended = stuckAt.filter((at) => at === broken.state).length === (way.resumes ?? 1);
    await stage.resume(operation.id);
    await stage.laptop.pass(60_000);
  }
}

const kindOf = ({ kind }: Way) => (kind ? { kind } : {});

/** Finds everything in order; what is held is asked for again, and then is as it was to be. */
async function closed(run: Run, stage: Stage, id: string, { end }: Pick<Ending, "end">) {
  await closeBooks(stage, id, end, run.counts, run.play.hasNews);
  if (end !== "held") return;
  run.play.isMended = true;
  await stage.again(id);
  expect((await ended(stage, id, run.counts)).state).toBe("SUCCEEDED");
  await closeBooks(stage, id, "done", run.counts, run.play.hasNews);
}
