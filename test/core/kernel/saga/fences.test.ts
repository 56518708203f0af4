import { expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import { asOperationId } from "../../../../core/id.ts";
import { pending, type Step, step } from "../../../../core/kernel/saga/saga.ts";
import { edit } from "../../../../core/kernel/saga/settle.ts";
import { runStep } from "../../../../core/kernel/saga/step.ts";
import { eventually } from "../../../support/eventually.ts";
import {
  accept,
  finish,
  openToyLaptop,
  operationOf,
  type ToyAction,
  toySaga,
} from "../../../support/toy/laptop.ts";
import { cancel, noting, refuse } from "../../../support/toy/steps.ts";

/** A do that outlives its saga: leases, fences, and what an undo waits for. */

const minute = 60_000;

it("does not undo before a do that was cut off can no longer have effects", async () => {
  const log: string[] = [];
  let release: () => void = () => {};
  const slow = step<ToyAction>(
    "Slow",
    {
      act: async (_, context) => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        log.push("late effect");
        await context.guard();
        log.push("second effect");
      },
      deadline: 10 * minute,
    },
    {
      act: async () => {
        log.push("Undo Slow");
      },
      deadline: 60 * minute,
    },
  );
  const laptop = openToyLaptop({ sagas: { toy: toySaga([slow]) }, workerTimeout: 5 * minute });
  const id = await accept(laptop);
  await laptop.pass(minute);
  await cancel(laptop, id);
  await laptop.pass(2 * minute);
  expect(log).toEqual([]);
  release();
  await finish(laptop, id);
  expect(log).toEqual(["late effect", "Undo Slow"]);
});

it.each(["act", "look"] as const)(
  "does not undo before what an %s asked outside, without an answer, can no longer be done",
  async (how) => {
    const log: string[] = [];
    let looks = 0;
    let land: () => void = () => {};
    // Whoever was asked does it later; who asked has given up.
    const ask = async () => {
      land = () => log.push("late effect");
      throw new AppError("Unavailable", "no answer in time");
    };
    const until = async () => pending("the world to turn", how === "act" ? minute : 1000);
    const asks = step<ToyAction>(
      "Ask",
      how === "act"
        ? { act: ask, deadline: 60 * minute }
        : { look: async () => (++looks === 2 ? ask() : undefined), until, deadline: 60 * minute },
      { act: async () => void log.push("Undo Ask"), deadline: 60 * minute },
    );
    const laptop = openToyLaptop({ sagas: { toy: toySaga([asks]) }, workerTimeout: 5 * minute });
    const id = await accept(laptop);
    await laptop.pass(minute);
    await cancel(laptop, id);
    await laptop.pass(2 * minute);
    expect(log).toEqual([]);
    land();
    expect((await finish(laptop, id)).status.state).toBe("CANCELLED");
    expect(log).toEqual(["late effect", "Undo Ask"]);
  },
);

it("a worker that died keeps the undo waiting until it could no longer run, and no longer", async () => {
  const log: string[] = [];
  const dead = noting(log, "Dead", () => new Promise(() => {}));
  const laptop = openToyLaptop({ sagas: { toy: toySaga([dead]) }, workerTimeout: 5 * minute });
  const id = await accept(laptop);
  await laptop.pass(minute);
  await cancel(laptop, id);
  await laptop.pass(3 * minute);
  expect(log).toEqual(["Dead"]);
  await laptop.pass(10 * minute);
  expect(log).toEqual(["Dead", "Undo Dead"]);
  expect((await operationOf(laptop, id)).status.state).toBe("CANCELLED");
});

it("a cancel that was accepted while the last step worked: the step does not succeed, though it ends first", async () => {
  const log: string[] = [];
  const last = noting(log, "Last", (_, { operation }) => cancel(laptop, operation.id));
  const laptop = openToyLaptop({ sagas: { toy: toySaga([noting(log, "First"), last]) } });
  const { status } = await finish(laptop, await accept(laptop));
  expect(status).toMatchObject({ state: "CANCELLED", failure: { step: "Last" } });
  expect(log).toEqual(["First", "Last", "Undo Last", "Undo First"]);
});

it("an attempt that has ended keeps no undo waiting", async () => {
  const log: string[] = [];
  const laptop = openToyLaptop({
    sagas: { toy: toySaga([noting(log, "One"), noting(log, "Two", refuse)]) },
    workerTimeout: 60 * minute,
  });
  const id = await accept(laptop);
  await laptop.pass(minute);
  expect(log).toEqual(["One", "Two", "Undo Two", "Undo One"]);
  expect((await operationOf(laptop, id)).status.state).toBe("FAILED");
});

/** Two branches: one that fails when it is told to, and one beside it. */
const beside = (log: string[], sibling: Step<ToyAction>[], fails: Promise<void>) =>
  toySaga([
    {
      name: "Group",
      branches: [
        { name: "Failing", steps: [noting(log, "Fails", () => fails.then(refuse))] },
        { name: "Sibling", steps: sibling },
      ],
    },
  ]);

it("a do beside one that failed makes no further effect, and then everything is undone", async () => {
  const log: string[] = [];
  const failing = Promise.withResolvers<void>();
  const running = Promise.withResolvers<void>();
  const sibling = noting(log, "Runs", async (_, context) => {
    await running.promise;
    await context.guard();
    log.push("second effect");
  });
  const laptop = openToyLaptop({ sagas: { toy: beside(log, [sibling], failing.promise) } });
  const id = await accept(laptop);
  await laptop.pass(1000);
  failing.resolve();
  await laptop.pass(1000);
  expect(log).not.toContain("Undo Fails");
  running.resolve();
  expect((await finish(laptop, id)).status.failure).toMatchObject({ step: "Fails" });
  expect(log.slice(2)).toEqual(["Undo Runs", "Undo Fails"]);
});

it("a wait beside a step that failed ends at once, and what never began is not undone", async () => {
  const log: string[] = [];
  const waits = step<ToyAction>(
    "Waits",
    { until: async () => pending("a volume"), deadline: 24 * 60 * minute },
    { act: async () => void log.push("Undo Waits"), deadline: minute },
  );
  const sibling = [waits, noting(log, "Never")];
  const laptop = openToyLaptop({ sagas: { toy: beside(log, sibling, Promise.resolve()) } });
  const id = await accept(laptop);
  await laptop.pass(2 * minute);
  const { status, steps } = await operationOf(laptop, id);
  expect(status.state).toBe("FAILED");
  expect(log).toEqual(["Fails", "Undo Waits", "Undo Fails"]);
  expect(steps["Undo Never"]?.state).toBe("SKIPPED");
});

it("a do beside one that failed ends before the undo, though the workers of both died", async () => {
  const log: string[] = [];
  const sibling = noting(log, "Runs", () => new Promise(() => {}));
  const began = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  const laptop = openToyLaptop({
    sagas: { toy: beside(log, [sibling], Promise.resolve()) },
    invoke: async (step, work) => {
      if (step === "Runs" && log.length === 0) {
        void work();
        await eventually(() => expect(log).toEqual(["Runs"]));
        began.resolve();
        throw Object.assign(new Error("said by Lambda"), { name: "Runtime.ExitError" });
      }
      if (step === "Runs") await failed.promise;
      if (step !== "Fails") return work();
      await began.promise;
      // All that is left of a worker that dies between its failure and its siblings'.
      const failure = { step, kind: "Rejected", message: "the fabric says no" } as const;
      await edit(laptop.deps, id, (operation) => ({ ...operation, unwinding: true, failure }));
      failed.resolve();
      throw Object.assign(new Error("said by Lambda"), { name: "Lambda.KMSDisabledException" });
    },
  });
  const id = await accept(laptop);
  const { steps, status } = await finish(laptop, id);
  expect(status.state).toBe("FAILED");
  expect(log).toEqual(["Runs", "Undo Runs"]);
  expect(steps.Runs).toMatchObject({ state: "FAILED", error: "Cancelled" });
});

it("a task of a do that comes when its saga has turned back does nothing", async () => {
  const log: string[] = [];
  const held = Promise.withResolvers<void>();
  const undone = step<ToyAction>(
    "Two",
    { act: async () => refuse(), deadline: minute },
    { act: () => held.promise, deadline: 60 * minute },
  );
  const sagas = { toy: toySaga([noting(log, "One"), undone, noting(log, "Three")]) };
  const laptop = openToyLaptop({ sagas, workerTimeout: 60 * minute });
  const id = await accept(laptop);
  await laptop.pass(minute);
  expect((await operationOf(laptop, id)).unwinding).toBe(true);
  const answers: string[] = [];
  const workflow = {
    ...laptop.deps.workflow,
    fail: async (_: string, error: string) => Boolean(answers.push(error)),
  };
  const deps = { ...laptop.deps, workflow };
  await runStep(deps, sagas, { operation: id, step: "Three", token: "late" });
  expect(answers).toEqual(["Cancelled"]);
  held.resolve();
  await finish(laptop, id);
  expect(log).toEqual(["One", "Undo One"]);
});

it("a task that comes when its operation has ended does nothing", async () => {
  const log: string[] = [];
  const sagas = { toy: toySaga([noting(log, "One"), noting(log, "Two", refuse)]) };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await finish(laptop, id);
  const before = await operationOf(laptop, id);
  for (const state of ["Two", "Undo Two", "RecordFailure"])
    await runStep(laptop.deps, sagas, { operation: asOperationId(id), step: state, token: "late" });
  expect(await operationOf(laptop, id)).toEqual(before);
  expect(log).toEqual(["One", "Two", "Undo Two", "Undo One"]);
});

it("a task that comes when its execution was aborted does nothing, though nothing was undone", async () => {
  const log: string[] = [];
  const waits = step<ToyAction>(
    "Wait",
    { until: async () => pending("the world to turn"), deadline: 60 * minute },
    { none: "test" },
  );
  const sagas = { toy: toySaga([waits, noting(log, "Next")]) };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.pass(minute);
  await laptop.engine.stopExecution(`arn:aws:states:us-east-1:000000000000:execution:toy:${id}`);
  expect((await finish(laptop, id)).status.state).toBe("FAILED");
  await runStep(laptop.deps, sagas, { operation: id, step: "Next", token: "late" });
  expect(log).toEqual([]);
});

it("an attempt at work when its execution is aborted makes no further effect, and its step ends", async () => {
  const log: string[] = [];
  const going = Promise.withResolvers<void>();
  const slow = step<ToyAction>(
    "Slow",
    {
      act: async (_, context) => {
        log.push("Slow");
        await going.promise;
        await context.guard();
        log.push("second effect");
      },
      deadline: 60 * minute,
    },
    { act: async () => void log.push("Undo Slow"), deadline: minute },
  );
  const laptop = openToyLaptop({ sagas: { toy: toySaga([slow]) }, workerTimeout: 60 * minute });
  const id = await accept(laptop);
  await laptop.pass(minute);
  await laptop.engine.stopExecution(`arn:aws:states:us-east-1:000000000000:execution:toy:${id}`);
  const { status, steps } = await finish(laptop, id);
  expect(status).toMatchObject({ state: "FAILED", failure: { step: "Slow", given_back: false } });
  expect(steps.Slow).toMatchObject({ state: "FAILED", error: "Internal", attempts: 1 });
  for (const member of ["token", "attempt", "deadline"])
    expect(steps.Slow).not.toHaveProperty(member);
  going.resolve();
  await laptop.pass(minute);
  expect(log).toEqual(["Slow"]);
});

it("a task that is delivered twice at once moves the saga on once", async () => {
  const log: string[] = [];
  const laptop = openToyLaptop({
    sagas: { toy: toySaga([noting(log, "One"), noting(log, "Two"), noting(log, "Three")]) },
    invoke: async (_, work) => Promise.all([work(), work()]),
  });
  const operation = await finish(laptop, await accept(laptop));
  expect(operation.status.state).toBe("SUCCEEDED");
  // Both may run; what they do is idempotent. No step runs before the one before it is done.
  expect([...new Set(log)]).toEqual(["One", "Two", "Three"]);
  expect(log.toSorted((a, b) => log.indexOf(a) - log.indexOf(b))).toEqual(log);
  for (const entry of Object.values(operation.steps)) expect(entry.leases).toBeUndefined();
});

it("what failed is kept for a look where its template says so, and undone when it is cancelled", async () => {
  for (const cancelled of [false, true]) {
    const log: string[] = [];
    const waits = step<ToyAction>(
      "Two",
      { until: async () => pending("the world to turn"), deadline: 30 * minute },
      { act: async () => void log.push("Undo Two"), deadline: minute },
    );
    const laptop = openToyLaptop({ sagas: { toy: toySaga([noting(log, "One"), waits]) } });
    const id = await accept(laptop, "toy", { hold: true });
    await laptop.pass(minute);
    if (cancelled) await cancel(laptop, id);
    const { status } = await finish(laptop, id);
    expect(status.state).toBe(cancelled ? "CANCELLED" : "FAILED");
    expect(log).toEqual(cancelled ? ["One", "Undo Two", "Undo One"] : ["One"]);
  }
});
