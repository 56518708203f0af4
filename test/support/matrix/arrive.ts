import { expect } from "vitest";
import { type Arrival, expecting, Gate } from "./arrivals.ts";
import { opened, type Run } from "./case.ts";
import { closeBooks, ended } from "./close.ts";
import { endOf } from "./ends.ts";
import type { Seen, Stage } from "./stage.ts";

/** A case in which a request arrives while the saga runs. */

export async function withArrival(run: Run, arrival: Arrival): Promise<void> {
  const { name, place, play, counts, combination } = run;
  const { state } = combination;
  const gate = new Gate();
  const stage = await opened(run, expecting(run.sagas, name, { arrival, state, gate, play }));
  const id = await stage.start();
  const under = await reached(stage, id, { arrival, state: state.name, gate });
  const isResumed = arrival.moment === "as it is resumed";
  const isStuck = isResumed || arrival.moment === "when it is stuck";
  if (isStuck) counts.stuck += 1;
  const { isAccepted, operation, next, end } = endOf(place, arrival);
  if (isResumed || arrival.request === "the same again") play.isMended = true;
  // Nothing has gone on yet when the request comes.
  if (isResumed) await stage.resume(under);
  expect(await asked(stage, id, under, arrival)).toBe(isAccepted);
  gate.open();
  play.hasMet = true;
  play.isMended = true;
  if (isStuck && !isResumed && operation !== "CANCELLED") await stage.resume(under);
  if (isStuck) await stage.laptop.pass(60_000);
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
      case "as its looks get no answer":
        return gate.isReached;
      case "as it waits":
        return steps[state] === "WAITING";
      case "when it has succeeded":
        return steps[state] === "SUCCEEDED";
      case "when it is stuck":
      case "as it is resumed":
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

/** Runs until this operation has ended; another may follow it. */
const over = (stage: Stage, operation: string): Promise<void> =>
  stage.laptop.until(
    async () => /SUCCEEDED|FAILED|CANCELLED|STUCK/.test((await stage.operation(operation)).state),
    "the end of the operation under test",
  );
