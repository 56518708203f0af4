import { expect, it } from "vitest";
import { pending, step } from "../../../../core/kernel/saga/saga.ts";
import { lookAgain } from "../../../../core/kernel/saga/step.ts";
import {
  accept,
  openToyLaptop,
  operationOf,
  type ToyAction,
  toySaga,
} from "../../../support/toy/laptop.ts";
import { cancel, noting, refuse } from "../../../support/toy/steps.ts";

/** A deletion undoes everything: what unwinds for itself meanwhile neither keeps it waiting nor meets it. */

const minute = 60_000;

/** Turns back at once, and then waits for ever. */
const unwinding = (log: string[], undo: Partial<ToyAction> = {}) => ({
  toy: toySaga([
    noting(log, "First"),
    step<ToyAction>(
      "Second",
      { act: async () => refuse(), deadline: 10 * minute },
      { until: async () => pending("the world to turn"), deadline: 24 * 60 * minute, ...undo },
    ),
  ]),
});

it("an undo that only waits is skipped, and those after it", async () => {
  const log: string[] = [];
  const laptop = openToyLaptop({ sagas: unwinding(log) });
  const id = await accept(laptop);
  await laptop.pass(minute);
  expect((await operationOf(laptop, id)).steps["Undo Second"]).toMatchObject({ state: "WAITING" });
  await cancel(laptop, id, { preempted: true });
  await laptop.pass(minute);
  const { status, steps } = await operationOf(laptop, id);
  expect(status.state).toBe("CANCELLED");
  expect(steps["Undo Second"]).toMatchObject({ state: "SKIPPED" });
  expect(steps["Undo First"]).toMatchObject({ state: "SKIPPED" });
  expect(log).toEqual(["First"]);
});

it("one that was asked to stop before is no other", async () => {
  const laptop = openToyLaptop({ sagas: unwinding([]) });
  const id = await accept(laptop);
  await laptop.pass(minute);
  await cancel(laptop, id);
  await laptop.pass(minute);
  expect((await operationOf(laptop, id)).status.state).toBe("RUNNING");
  await cancel(laptop, id, { preempted: true });
  await laptop.pass(minute);
  expect((await operationOf(laptop, id)).status.state).toBe("CANCELLED");
});

it("an undo that is at work ends its work first", async () => {
  const log: string[] = [];
  let looks = 0;
  let release: () => void = () => {};
  const look = async () => {
    looks += 1;
    if (looks === 1) return;
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    log.push("looked");
  };
  const sagas = unwinding(log, { look });
  const laptop = openToyLaptop({ sagas, workerTimeout: 10 * minute });
  const id = await accept(laptop);
  await laptop.pass(minute);
  const looking = lookAgain(laptop.deps, sagas, id, "Undo Second");
  await laptop.pass(minute);
  await cancel(laptop, id, { preempted: true });
  await laptop.pass(minute);
  expect((await operationOf(laptop, id)).status.state).toBe("RUNNING");
  release();
  await looking;
  await laptop.pass(minute);
  expect(log).toEqual(["First", "looked"]);
  expect((await operationOf(laptop, id)).status.state).toBe("CANCELLED");
});
