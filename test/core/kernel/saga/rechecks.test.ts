import { describe, expect, it } from "vitest";
import { minutes, seconds, timestamp } from "../../../../core/clock.ts";
import { AppError } from "../../../../core/error.ts";
import { asOperationId } from "../../../../core/id.ts";
import { waiting as waitingEntry } from "../../../../core/kernel/saga/entry.ts";
import type { Operation, StepEntry } from "../../../../core/kernel/saga/operation.ts";
import { queueRechecks, recheckDue } from "../../../../core/kernel/saga/rechecks.ts";
import { done, pending, step } from "../../../../core/kernel/saga/saga.ts";
import { edit } from "../../../../core/kernel/saga/settle.ts";
import { toyDeps } from "../../../support/toy/deps.ts";
import {
  accept,
  openToyLaptop,
  operationOf,
  type ToyAction,
  toySaga,
} from "../../../support/toy/laptop.ts";
import { orderToy } from "../../../support/toy/orders.ts";

/** Steps are looked at when their time comes: by the queue, and by the sweep where the queue fails. */

const waiting: StepEntry = { position: 0, state: "WAITING", attempts: 1, token: "t" };

const stepsWith = (entry: Partial<StepEntry> | undefined): Operation["steps"] =>
  entry ? { Wait: { ...waiting, ...entry } } : {};

/** An operation with a step like this, where time stands still. */
async function withStep(entry: Partial<StepEntry> | undefined) {
  const deps = toyDeps();
  const id = await orderToy(deps, "toy");
  const operation = await edit(deps, id, (before) => ({
    ...before,
    steps: stepsWith(entry),
  }));
  const at = (ms: number) => timestamp(deps.clock.now() + ms);
  return { deps, id, operation, at };
}

describe("what is queued after a write", () => {
  const now = Date.UTC(2026, 0, 1);
  const look = (ms: number) => ({ look_at: timestamp(now + ms) });
  const { token: _, ...tokenless } = waiting;

  it.each<[string, Partial<StepEntry> | undefined, Partial<StepEntry>, number | undefined]>([
    ["a step that begins to wait", { state: "RUNNING" }, look(seconds(20)), seconds(20)],
    ["a step of which nothing was known", undefined, look(seconds(20)), seconds(20)],
    ["a step with a later time after its look", look(-5), look(minutes(1)), minutes(1)],
    ["a step with an earlier time than before", look(minutes(9)), look(seconds(1)), seconds(1)],
    ["a step whose time has passed meanwhile", undefined, look(-seconds(3)), 0],
    ["a step that is due in a quarter of an hour", {}, look(minutes(15)), minutes(15)],
    ["one that is due later: the sweep's", {}, look(minutes(15) + 1), undefined],
    ["a step with the time that it had", look(seconds(20)), look(seconds(20)), undefined],
    ["a step that waits for news alone", {}, {}, undefined],
    ["a step at work", {}, { state: "RUNNING", ...look(seconds(20)) }, undefined],
    ["a step that has ended", look(1), { state: "SUCCEEDED", ...look(seconds(20)) }, undefined],
  ])("%s", async (_, had, has, after) => {
    const { deps, operation } = await withStep(has);
    await queueRechecks(deps, { ...operation, steps: stepsWith(had) }, operation);
    const message = { operation: operation.id, step: "Wait", after };
    expect(deps.queuedRechecks).toEqual(after === undefined ? [] : [message]);
  });

  it("nothing of a step that is tried again and waits for nobody", async () => {
    const { deps, operation } = await withStep(undefined);
    const steps = { Wait: { ...tokenless, ...look(seconds(20)) } };
    await queueRechecks(deps, undefined, { ...operation, steps });
    expect(deps.queuedRechecks).toEqual([]);
  });

  it("every step that has a new time, and a queue that fails stops nobody", async () => {
    const { deps, operation } = await withStep(undefined);
    const steps = {
      One: { ...waiting, ...look(seconds(1)) },
      Two: { ...waiting, ...look(seconds(2)) },
    };
    const asked: string[] = [];
    const recheckQueue = {
      put: async (recheck: { step: string }) => {
        asked.push(recheck.step);
        throw new AppError("Unavailable", "the queue takes no message");
      },
    };
    await queueRechecks({ ...deps, recheckQueue }, undefined, { ...operation, steps });
    expect(asked).toEqual(["One", "Two"]);
  });
});

it.each([
  [seconds(1), seconds(1)],
  [minutes(5), minutes(5)],
  // A look after a look without a pause would never end.
  [0, seconds(10)],
])("a step that asks for a look in %i ms is looked at in %i ms", async (lookAgain, after) => {
  const { deps, at } = await withStep(undefined);
  expect(waitingEntry(deps, waiting, pending("the world", lookAgain)).look_at).toBe(at(after));
});

describe("a message that arrives", () => {
  it.each<[string, (at: (ms: number) => string, wall: number) => Partial<StepEntry>, boolean]>([
    ["at its time has the step looked at", (at) => ({ look_at: at(0) }), true],
    ["late as well", (at) => ({ look_at: at(-minutes(3)) }), true],
    ["before the step's time does nothing", (at) => ({ look_at: at(1) }), false],
    ["for a step that waits for news alone does nothing", () => ({}), false],
    [
      "for a step that has ended does nothing",
      (at) => ({ state: "SUCCEEDED", look_at: at(0) }),
      false,
    ],
    [
      "while the step is looked at does nothing",
      (at, wall) => ({ look_at: at(0), attempt: "a", leases: { a: wall + 1 } }),
      false,
    ],
    [
      "after a look whose worker died has it looked at",
      (at, wall) => ({ look_at: at(0), attempt: "a", leases: { a: wall } }),
      true,
    ],
    [
      "while an attempt that was replaced is still alive has it looked at",
      (at, wall) => ({ look_at: at(0), leases: { a: wall + 1 } }),
      true,
    ],
  ])("%s", async (_, entry, looks) => {
    const asked: string[] = [];
    const world = await withStep(undefined);
    const { deps, id, at } = world;
    await edit(deps, id, (before) => ({
      ...before,
      steps: { Wait: { ...waiting, ...entry(at, deps.wall.now()) } },
    }));
    const rechecks = { request: async (_: string, name: string) => void asked.push(name) };
    await recheckDue({ ...deps, rechecks }, { operation: id, step: "Wait" });
    expect(asked).toEqual(looks ? ["Wait"] : []);
  });

  it("for an operation that is gone does nothing", async () => {
    await recheckDue(toyDeps(), { operation: asOperationId("gone"), step: "Wait" });
  });
});

describe("a step that waits for something that gives no news", () => {
  /** Its times of looks since it began, in seconds; it is done with the third. */
  async function looked(lose: boolean) {
    const looks: number[] = [];
    let began = 0;
    const sagas = {
      toy: toySaga([
        step<ToyAction>(
          "Wait",
          {
            deadline: minutes(60),
            act: async (_, { deps }) => {
              began = deps.clock.now();
            },
            look: async (_, { deps }) => void looks.push((deps.clock.now() - began) / 1000),
            until: async () => (looks.length > 2 ? done : pending("the paint to dry", seconds(20))),
          },
          { none: "test" },
        ),
      ]),
    };
    const laptop = openToyLaptop({ sagas, dueEvery: minutes(1) });
    if (lose) laptop.deps.recheckQueue.put = async () => {};
    const id = await accept(laptop);
    await laptop.until(
      async () => (await operationOf(laptop, id)).status.state === "SUCCEEDED",
      "the end",
    );
    return looks;
  }

  it("is looked at when its time comes, and not with the next sweep", async () => {
    expect(await looked(false)).toEqual([0, 20, 40]);
  });

  it("is looked at with the next sweep if the messages are lost", async () => {
    const looks = await looked(true);
    expect(looks).toHaveLength(3);
    for (const [n, at] of looks.entries()) {
      const due = (looks[n - 1] ?? -20) + 20;
      expect(at).toBeGreaterThanOrEqual(due);
      expect(at).toBeLessThanOrEqual(due + 60);
    }
    expect(looks[2]).toBeGreaterThan(60);
  });
});
