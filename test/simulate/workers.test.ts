import { expect, it, onTestFinished } from "vitest";
import { asOperationId } from "../../core/id.ts";
import { saga } from "../../core/kernel/saga/action.ts";
import { phase, step } from "../../core/kernel/saga/saga.ts";
import type { Workflow } from "../../core/kernel/saga/workflow.ts";
import { openSqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { Dice } from "../../simulate/dice.ts";
import { Workers } from "../../simulate/workers.ts";
import { seeded } from "../support/random.ts";
import { accept, finish, openToyLaptop, type ToyAction } from "../support/toy/laptop.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const opened = () => {
  const clock = new VirtualClock();
  return { clock, workers: new Workers(clock, new Dice(seeded(1), 0)) };
};

const idle: Workflow = {
  start: async () => {},
  succeed: async () => true,
  fail: async () => true,
  describe: async () => undefined,
  plan: async () => undefined,
};

it("a worker that dies in the middle reaches nothing from then on", async () => {
  const { workers } = opened();
  const reached: number[] = [];
  const work = async () => {
    for (let n = 0; n < 5; n++) await workers.call(async () => reached.push(n));
  };
  await expect(workers.run(work, undefined, { calls: 3 })).rejects.toThrow("the worker was killed");
  await new Promise(setImmediate);
  expect(reached).toEqual([0, 1, 2]);
});

it("all workers die at once, and later ones work", async () => {
  const { workers } = opened();
  let isAnswered = false;
  const never = new Promise<never>(() => {});
  const dying = workers.run(async () => {
    await workers.call(() => never);
    isAnswered = true;
  });
  workers.killAll();
  await expect(dying).rejects.toThrow("the worker was killed");
  expect(isAnswered).toBe(false);
  expect(await workers.run(() => workers.call(async () => "done"))).toBe("done");
});

it("a dead worker answers no task and starts nothing", async () => {
  const { workers } = opened();
  const sent: string[] = [];
  const send = async (what: string) => void sent.push(what);
  const workflow = {
    start: () => send("start"),
    succeed: () => send("success").then(() => true),
    fail: () => send("failure").then(() => true),
    describe: async () => undefined,
    plan: async () => undefined,
  };
  const store = openSqliteStore(":memory:");
  onTestFinished(() => store.close());
  workers.over({ store, deps: { workflow, rechecks: { request: async () => {} } } });
  const work = async () => {
    await workflow.succeed();
    await workflow.fail();
    await workflow.start();
  };
  await expect(workers.run(work, undefined, { calls: 1 })).rejects.toThrow("the worker was killed");
  await new Promise(setImmediate);
  expect(sent).toEqual(["success"]);
});

it("knows when the worker began whose call it is, and that a call of nobody is nobody's", async () => {
  const { clock, workers } = opened();
  expect(workers.began).toBeUndefined();
  expect(await workers.run(async () => workers.began)).toBe(clock.now());
});

it("knows the step that a call is for: of its task, and then of each step that its run comes to", async () => {
  const { workers } = opened();
  const seen: unknown[] = [];
  const see = async () => void seen.push(workers.task?.step);
  const rows = ["One", "Two"].map((name) =>
    step<ToyAction>(name, { act: see, deadline: 60_000 }, { none: "test" }),
  );
  const laptop = openToyLaptop({
    sagas: workers.telling({
      toy: saga("toy", {
        comment: "a saga of a test",
        irreversible: true,
        nodes: [phase("Both", ...rows)],
      }),
    }),
    invoke: (step, work, operation) =>
      workers.do({ operation: asOperationId(operation), step }, async () => {
        await see();
        await work();
      }),
  });
  await finish(laptop, await accept(laptop));
  expect(workers.task).toBeUndefined();
  expect(seen).toEqual(["Both", "One", "Two"]);
});

it("a worker finds the store busy, and does not hear that it has written", async () => {
  const { workers } = opened();
  const store = openSqliteStore(":memory:");
  onTestFinished(() => store.close());
  workers.over({ store, deps: { workflow: idle, rechecks: { request: async () => {} } } });
  const write = (sk: string) => store.transact([{ put: { pk: "a", sk } }]);
  const writes = async () => {
    for (const sk of ["1", "2", "3"]) await write(sk);
  };
  const there = () => store.items().map(({ sk }) => sk);
  await expect(workers.run(writes, undefined, { storeCalls: 1 })).rejects.toThrow("busy");
  expect(there()).toEqual(["1"]);
  await expect(workers.run(writes, undefined, { writes: 1 })).rejects.toThrow("cannot be reached");
  expect(there()).toEqual(["1", "2"]);
  await write("4");
  expect(there()).toEqual(["1", "2", "4"]);
});
