import { expect, it } from "vitest";
import { sleep } from "../../../../core/clock.ts";
import { AppError } from "../../../../core/error.ts";
import { type Saga, saga } from "../../../../core/kernel/saga/action.ts";
import { done, type Outcome, pending, phase, step } from "../../../../core/kernel/saga/saga.ts";
import { edit } from "../../../../core/kernel/saga/settle.ts";
import { wake } from "../../../../core/kernel/saga/step.ts";
import { die, WorkerDied } from "../../../../local/worker-ends.ts";
import {
  accept,
  finish,
  openToyLaptop,
  operationOf,
  type ToyAction,
} from "../../../support/toy/laptop.ts";
import { refuse } from "../../../support/toy/steps.ts";
import { workerTimeout } from "../../../support/worker-time.ts";

const minute = 60_000;
const atSite = { system: { name: "box", zone: "site" } } as const;
const atHub = { system: { name: "hub", zone: "hub" } } as const;

/** What the steps of a phase do, by their names, beside noting that they did it. */
interface Doing {
  act?: (call: number) => unknown;
  until?: () => Outcome;
  at?: Pick<ToyAction, "system">;
}

/** Runs a saga of one phase; answers what its steps did, and the runs of workers that it took. */
function withPhase(doings: Record<string, Doing>) {
  const log: string[] = [];
  const runs: string[] = [];
  const row = ([name, { act, until, at = atSite }]: [string, Doing]) => {
    const action: ToyAction = {
      ...at,
      deadline: 60 * minute,
      act: async () => {
        log.push(name);
        await act?.(log.filter((each) => each === name).length);
      },
      ...(until && { until }),
    };
    return step<ToyAction>(name, action, { none: "test" });
  };
  const table: Saga = saga("toy", {
    comment: "a saga of a test",
    irreversible: true,
    nodes: [phase("All", ...Object.entries(doings).map(row))],
  });
  const sagas = { toy: table };
  const noted = (kind: string) => (name: string, work: () => Promise<unknown>) => {
    runs.push(`${kind} ${name}`);
    return work();
  };
  const laptop = openToyLaptop({ sagas, invoke: noted("task"), look: noted("look") });
  const steps = async (id: Awaited<ReturnType<typeof accept>>) =>
    Object.entries((await operationOf(laptop, id)).steps).map(
      ([name, { state, attempts }]) => `${name} ${state} ${attempts}`,
    );
  return { laptop, log, runs, sagas, steps };
}

const dies = () => die(new WorkerDied("on purpose")).then(() => new Promise(() => {}));
const isAway = () => {
  throw new AppError("Unavailable", "the box does not answer");
};

it("is one task, whose worker does one step after the other; each stays a step of the operation", async () => {
  const { laptop, log, runs, steps } = withPhase({ One: {}, Two: {}, Three: {} });
  let answers = 0;
  const { succeed } = laptop.deps.workflow;
  laptop.deps.workflow.succeed = (token) => {
    answers += 1;
    return succeed(token);
  };
  const id = await accept(laptop);
  expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
  expect(log).toEqual(["One", "Two", "Three"]);
  expect(runs).toEqual(["task All"]);
  expect(answers).toBe(1);
  expect(await steps(id)).toEqual(["One SUCCEEDED 1", "Two SUCCEEDED 1", "Three SUCCEEDED 1"]);
});

it("a step of another zone is begun by a worker of that zone", async () => {
  const { laptop, runs, log } = withPhase({ One: {}, Two: { at: {} }, Three: { at: atHub } });
  expect((await finish(laptop, await accept(laptop))).status.state).toBe("SUCCEEDED");
  expect(log).toEqual(["One", "Two", "Three"]);
  expect(runs).toEqual(["task All", "look Two", "look Three"]);
});

it("a step that waits passes on when it is told, to a worker", async () => {
  let isThere = false;
  const until = () => (isThere ? done : pending("the paint to dry"));
  const { laptop, log, runs, sagas, steps } = withPhase({ One: { until }, Two: {} });
  const id = await accept(laptop);
  await laptop.pass(10 * minute);
  expect(await steps(id)).toEqual(["One WAITING 1", "Two PENDING 0"]);
  isThere = true;
  await wake(laptop.deps, sagas, id);
  expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
  expect(log).toEqual(["One", "Two"]);
  expect(runs).toEqual(["task All", "look Two"]);
});

it("a run that has used up half of its time leaves the next step to another run", async () => {
  const { laptop, runs } = withPhase({
    One: { act: () => sleep(laptop.clock, workerTimeout / 2) },
    Two: {},
    Three: {},
  });
  expect((await finish(laptop, await accept(laptop))).status.state).toBe("SUCCEEDED");
  expect(runs).toEqual(["task All", "look Two"]);
});

it("goes on at the first step that is not done when its worker has died", async () => {
  const { laptop, log } = withPhase({
    One: {},
    Two: { act: (call) => (call === 1 ? dies() : undefined) },
    Three: {},
  });
  expect((await finish(laptop, await accept(laptop))).status.state).toBe("SUCCEEDED");
  expect(log).toEqual(["One", "Two", "Two", "Three"]);
});

it("goes on when a worker has died that Step Functions had not called, or was never asked", async () => {
  const { laptop, log, runs } = withPhase({
    One: {},
    Two: { at: {}, act: (call) => (call === 1 ? dies() : undefined) },
    Three: {},
  });
  const { request } = laptop.deps.rechecks;
  laptop.deps.rechecks.request = async (id, name) =>
    name === "Three" && !runs.includes("look Three") && lost.push(name) < 2
      ? undefined
      : request(id, name);
  const lost: string[] = [];
  const id = await accept(laptop);
  const began = laptop.clock.now();
  expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
  expect(log).toEqual(["One", "Two", "Two", "Three"]);
  expect(lost.length).toBeGreaterThan(0);
  expect(laptop.clock.now() - began).toBeLessThan(20 * minute);
});

it("tries again what is Unavailable, whoever ran it, also when Step Functions was not told so", async () => {
  let lost = 0;
  const { laptop, log } = withPhase({
    One: { act: (call) => (call <= 2 ? isAway() : undefined) },
    Two: { at: {}, act: (call) => (call <= 2 ? isAway() : undefined) },
  });
  const { fail } = laptop.deps.workflow;
  laptop.deps.workflow.fail = async (...asked) => {
    if (log.at(-1) === "Two" && ++lost === 1) return true;
    return fail(...asked);
  };
  const operation = await finish(laptop, await accept(laptop));
  expect(operation.status.state).toBe("SUCCEEDED");
  expect(log).toEqual(["One", "One", "One", "Two", "Two", "Two"]);
  expect(lost).toBeGreaterThan(1);
});

it("is stuck in the step that failed, and goes on with that when a person says so", async () => {
  let isBroken = true;
  const { laptop, log, steps } = withPhase({
    One: {},
    Two: { at: {}, act: () => isBroken && refuse() },
    Three: {},
  });
  const id = await accept(laptop);
  expect((await finish(laptop, id)).status).toMatchObject({
    state: "STUCK",
    failure: { step: "Two", kind: "Rejected", message: "the fabric says no" },
  });
  expect((await steps(id)).slice(0, 3)).toEqual([
    "One SUCCEEDED 1",
    "Two FAILED 1",
    "Three PENDING 0",
  ]);
  isBroken = false;
  await edit(laptop.deps, id, (operation) => ({
    ...operation,
    resume: { at: "2026-01-01T00:00:00.000Z", by: "op" },
  }));
  await laptop.pass(1000);
  expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
  expect(log).toEqual(["One", "Two", "Two", "Three"]);
});

it("an execution that was aborted ends a step that nobody had begun yet", async () => {
  const { laptop } = withPhase({ One: {}, Two: { at: {} } });
  laptop.deps.rechecks.request = async () => {};
  const id = await accept(laptop);
  await laptop.pass(minute);
  expect((await operationOf(laptop, id)).steps.Two).toMatchObject({
    state: "RUNNING",
    attempts: 0,
  });
  await laptop.engine.stopExecution(`arn:aws:states:us-east-1:000000000000:execution:toy:${id}`);
  const { status } = await finish(laptop, id);
  expect(status).toMatchObject({ state: "FAILED", failure: { step: "Two" } });
});

it("is only for sagas that cannot turn back", () => {
  const row = step<ToyAction>("One", { deadline: 1 }, { deadline: 1 });
  expect(() => saga("toy", { comment: "", nodes: [phase("All", row)] })).toThrow("can turn back");
});
