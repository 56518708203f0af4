import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { done, pending, type Step, step } from "../../../../core/kernel/saga/saga.ts";
import { edit } from "../../../../core/kernel/saga/settle.ts";
import { lookAgain, runStep, wake } from "../../../../core/kernel/saga/step.ts";
import { resumeStuck } from "../../../../core/kernel/saga/stuck.ts";
import { keptToken } from "../../../../core/kernel/saga/tokens.ts";
import {
  accept,
  finish,
  openToyLaptop,
  operationOf,
  type ToyAction,
  toySaga,
} from "../../../support/toy/laptop.ts";
import { toyId } from "../../../support/toy/orders.ts";
import { cancel, noting, refuse } from "../../../support/toy/steps.ts";

const minute = 60_000;

it("runs the steps in order and ends SUCCEEDED, its target told in the same write", async () => {
  const log: string[] = [];
  const laptop = openToyLaptop({
    sagas: { toy: toySaga([noting(log, "One"), noting(log, "Two")]) },
  });
  const operation = await finish(laptop, await accept(laptop));
  expect(log).toEqual(["One", "Two"]);
  expect(operation.status.state).toBe("SUCCEEDED");
  expect(Object.values(operation.steps).map((entry) => entry.state)).toEqual([
    "SUCCEEDED",
    "SUCCEEDED",
  ]);
  const toy = await mustLoad(laptop.deps, "toy", toyId);
  expect(toy.applied).toEqual(toy.spec);
  expect(toy.operation).toBeUndefined();
});

it("undoes the failed step itself, then those before it, and says which step failed and why", async () => {
  const log: string[] = [];
  const laptop = openToyLaptop({
    sagas: { toy: toySaga([noting(log, "One"), noting(log, "Two", refuse), noting(log, "Three")]) },
  });
  const operation = await finish(laptop, await accept(laptop));
  expect(log).toEqual(["One", "Two", "Undo Two", "Undo One"]);
  expect(operation.status.state).toBe("FAILED");
  expect(operation.status.failure).toEqual({
    step: "Two",
    kind: "Rejected",
    message: "the fabric says no",
    given_back: true,
  });
  const toy = await mustLoad(laptop.deps, "toy", toyId);
  expect(toy.failure).toEqual(operation.status.failure);
});

it("tries what is Unavailable again until it works, and says so meanwhile", async () => {
  const log: string[] = [];
  let times = 0;
  const flaky = noting(log, "One", () => {
    if (++times < 4) throw new AppError("Unavailable", "the hub does not answer");
  });
  const laptop = openToyLaptop({ sagas: { toy: toySaga([flaky]) } });
  const id = await accept(laptop);
  await laptop.until(() => times === 1);
  expect((await operationOf(laptop, id)).steps.One?.message).toBe("the hub does not answer");
  const operation = await finish(laptop, id);
  expect(operation.status.state).toBe("SUCCEEDED");
  expect(operation.steps.One?.attempts).toBe(4);
});

function waitingSaga(state: { ready: boolean; looks: number; undone: boolean }) {
  return toySaga([
    step<ToyAction>(
      "Wait",
      {
        look: async () => {
          state.looks++;
        },
        until: async () => (state.ready ? done : pending("the world to turn")),
        deadline: 30 * minute,
      },
      {
        act: async () => {
          state.undone = true;
        },
        deadline: minute,
      },
    ),
  ]);
}

it("waits for news, without looking again and again, and says what it waits for", async () => {
  const state = { ready: false, looks: 0, undone: false };
  const sagas = { toy: waitingSaga(state) };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.pass(10 * minute);
  expect((await operationOf(laptop, id)).steps.Wait).toMatchObject({
    state: "WAITING",
    message: "the world to turn",
  });
  expect(state.looks).toBe(1);
  state.ready = true;
  await wake(laptop.deps, sagas, id);
  expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
});

it("looks that are asked for while one is under way become one more", async () => {
  const state = { ready: false, looks: 0 };
  const waitsInLook: (() => void)[] = [];
  const look = async () => {
    state.looks++;
    if (state.looks === 2) await new Promise<void>((resolve) => waitsInLook.push(resolve));
  };
  const until = async () => (state.ready ? done : pending("the world to turn"));
  const sagas = {
    toy: toySaga([
      step<ToyAction>("Wait", { look, until, deadline: 30 * minute }, { none: "test" }),
    ]),
  };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.pass(1000);
  expect(state.looks).toBe(1);
  const first = lookAgain(laptop.deps, sagas, id, "Wait");
  await laptop.pass(1000);
  for (let n = 0; n < 5; n++) await lookAgain(laptop.deps, sagas, id, "Wait");
  expect(state.looks).toBe(2);
  for (const go of waitsInLook) go();
  await first;
  await laptop.pass(1000);
  expect(state.looks).toBe(3);
  state.ready = true;
  await wake(laptop.deps, sagas, id);
  expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
});

it("looks again by itself where the step asks for it", async () => {
  const state = { ready: false, looks: 0 };
  const look = async () => {
    state.looks++;
    if (state.looks === 3) state.ready = true;
  };
  const until = async () => (state.ready ? done : pending("DNS", 30_000));
  const laptop = openToyLaptop({
    sagas: {
      toy: toySaga([
        step<ToyAction>("Wait", { look, until, deadline: 10 * minute }, { none: "test" }),
      ]),
    },
  });
  expect((await finish(laptop, await accept(laptop))).status.state).toBe("SUCCEEDED");
  expect(state.looks).toBe(3);
});

it("fails a wait at its deadline with the last thing it waited for", async () => {
  const state = { ready: false, looks: 0, undone: false };
  const laptop = openToyLaptop({ sagas: { toy: waitingSaga(state) } });
  const operation = await finish(laptop, await accept(laptop));
  expect(operation.status.failure).toMatchObject({ step: "Wait", kind: "DeadlineExceeded" });
  expect(operation.status.failure?.message).toContain("the world to turn");
  expect(state.undone).toBe(true);
});

it("cancels a waiting operation: it unwinds and ends CANCELLED", async () => {
  const state = { ready: false, looks: 0, undone: false };
  const laptop = openToyLaptop({ sagas: { toy: waitingSaga(state) } });
  const id = await accept(laptop);
  await laptop.pass(minute);
  await cancel(laptop, id);
  const operation = await finish(laptop, id);
  expect(operation.status.state).toBe("CANCELLED");
  expect(operation.status.failure?.message).toBe("cancelled by alice");
  expect(state.undone).toBe(true);
});

it("skips its own undo when a deletion preempts it", async () => {
  const state = { ready: false, looks: 0, undone: false };
  const laptop = openToyLaptop({ sagas: { toy: waitingSaga(state) } });
  const id = await accept(laptop);
  await laptop.pass(minute);
  await cancel(laptop, id, { preempted: true });
  expect((await finish(laptop, id)).status.state).toBe("CANCELLED");
  expect(state.undone).toBe(false);
});

it("stands still in STUCK when an undo fails for good, and goes on when a person says so", async () => {
  const log: string[] = [];
  let broken = true;
  const stubborn = step<ToyAction>(
    "Two",
    { act: async () => refuse(), deadline: minute },
    {
      act: async () => {
        if (broken) throw new AppError("Rejected", "the volume is in use");
        log.push("Undo Two");
      },
      deadline: minute,
    },
  );
  const laptop = openToyLaptop({ sagas: { toy: toySaga([noting(log, "One"), stubborn]) } });
  const id = await accept(laptop);
  const stuck = await finish(laptop, id);
  expect(stuck.status).toMatchObject({
    state: "STUCK",
    failure: { step: "Undo Two", message: "the volume is in use" },
  });
  expect(log).toEqual(["One"]);
  await laptop.pass(60 * minute);
  expect((await operationOf(laptop, id)).status.state).toBe("STUCK");

  broken = false;
  await edit(laptop.deps, id, (operation) => ({
    ...operation,
    resume: { at: "2026-01-01T00:00:00.000Z", by: "op" },
  }));
  await laptop.pass(1000);
  const operation = await finish(laptop, id);
  expect(operation.status).toMatchObject({
    state: "FAILED",
    failure: { step: "Two", message: "the fabric says no" },
  });
  expect(log).toEqual(["One", "Undo Two", "Undo One"]);
});

describe("a late duplicate of the Stuck task", () => {
  /** An operation that is stuck; `again` delivers its task once more. */
  async function stuck() {
    let broken = true;
    const stubborn = step<ToyAction>(
      "One",
      { act: async () => refuse(), deadline: minute },
      {
        act: async () => {
          if (broken) throw new AppError("Rejected", "the volume is in use");
        },
        deadline: minute,
      },
    );
    const sagas = { toy: toySaga([stubborn]) };
    const laptop = openToyLaptop({ sagas });
    const id = await accept(laptop);
    const { token: name = "" } = (await finish(laptop, id)).steps.Stuck ?? {};
    const token = (await keptToken(laptop.store, name)) ?? "";
    const failure = { step: "Undo One", error: "Rejected", cause: "the volume is in use" };
    return {
      laptop,
      id,
      again: () => runStep(laptop.deps, sagas, { operation: id, step: "Stuck", token, failure }),
      resume: () =>
        edit(laptop.deps, id, (operation) => ({
          ...operation,
          resume: { at: "2026-01-01T00:00:00.000Z", by: "op" },
        })),
      mend: () => {
        broken = false;
      },
    };
  }

  it("leaves an operation alone that has ended", async () => {
    const { laptop, id, again, resume, mend } = await stuck();
    mend();
    await resume();
    await laptop.pass(1000);
    const ended = await finish(laptop, id);
    expect(ended.status.state).toBe("FAILED");
    await again();
    expect((await operationOf(laptop, id)).status).toEqual(ended.status);
  });

  it("leaves one alone that goes on", async () => {
    const { laptop, id, again, resume } = await stuck();
    await resume();
    await resumeStuck(laptop.deps, id);
    await again();
    expect((await operationOf(laptop, id)).status.state).toBe("RUNNING");
  });

  it("does not forget that it was told to go on", async () => {
    const { laptop, id, again, resume } = await stuck();
    const told = await resume();
    await again();
    expect((await operationOf(laptop, id)).resume).toEqual(told.resume);
  });
});

it("a second delivery of a task that is done answers at once and does nothing", async () => {
  const log: string[] = [];
  const laptop = openToyLaptop({
    sagas: { toy: toySaga([noting(log, "One"), noting(log, "Two")]) },
    invoke: async (_, work) => {
      await work();
      return work();
    },
  });
  expect((await finish(laptop, await accept(laptop))).status.state).toBe("SUCCEEDED");
  expect(log).toEqual(["One", "Two"]);
});

it("a worker that dies is called again by Step Functions", async () => {
  const log: string[] = [];
  let crashes = 2;
  const laptop = openToyLaptop({
    sagas: { toy: toySaga([noting(log, "One")]) },
    invoke: async (_, work) => {
      if (crashes-- > 0)
        throw Object.assign(new Error("the process died"), { name: "Lambda.Unknown" });
      return work();
    },
  });
  expect((await finish(laptop, await accept(laptop))).status.state).toBe("SUCCEEDED");
  expect(log).toEqual(["One"]);
});

describe("a group with a branch that fails beside one that waits", () => {
  const log: string[] = [];
  beforeEach(() => void log.splice(0));
  const group = (failing: Step<ToyAction>) => {
    const waiting = step<ToyAction>(
      "A",
      { until: async () => pending("a volume"), deadline: 60 * minute },
      { act: async () => void log.push("Undo A"), deadline: minute },
    );
    const branches = [
      { name: "Network", steps: [waiting] },
      { name: "Storage", steps: [failing] },
    ];
    return { toy: toySaga([noting(log, "First"), { name: "Prepare", branches }]) };
  };

  it("unwinds everything through one chain", async () => {
    const laptop = openToyLaptop({ sagas: group(noting(log, "B", refuse)) });
    const { status, steps } = await finish(laptop, await accept(laptop));
    expect(status).toMatchObject({
      state: "FAILED",
      failure: { step: "B", message: "the fabric says no" },
    });
    expect(log).toEqual(["First", "B", "Undo B", "Undo A", "Undo First"]);
    expect(steps.A).toMatchObject({ state: "FAILED", error: "Cancelled" });
  });

  it("says which step it was, though the worker never said so", async () => {
    const laptop = openToyLaptop({
      sagas: group(noting(log, "B")),
      invoke: async (name, work) => {
        if (name !== "B") return work();
        throw Object.assign(new Error("no key: none"), { name: "Lambda.KMSDisabledException" });
      },
    });
    const { status, steps } = await finish(laptop, await accept(laptop));
    expect(status).toMatchObject({
      state: "FAILED",
      failure: { step: "B", message: "no key: none" },
    });
    expect(log).toEqual(["First", "Undo A", "Undo First"]);
    expect(steps.A).toMatchObject({ state: "FAILED", error: "Cancelled" });
  });
});

it("an operation that was never started is started by the sweep", async () => {
  const log: string[] = [];
  const laptop = openToyLaptop({ sagas: { toy: toySaga([noting(log, "One")]) } });
  const { start } = laptop.deps.workflow;
  let lost = true;
  laptop.deps.workflow.start = async (saga, operation) => {
    if (lost) lost = false;
    else await start(saga, operation);
  };
  expect((await finish(laptop, await accept(laptop))).status.state).toBe("SUCCEEDED");
});

it("an answer that was lost on its way is sent again", async () => {
  const log: string[] = [];
  const laptop = openToyLaptop({
    sagas: { toy: toySaga([noting(log, "One"), noting(log, "Two")]) },
  });
  const { succeed } = laptop.deps.workflow;
  let losses = 1;
  laptop.deps.workflow.succeed = async (token) => (losses-- > 0 ? true : succeed(token));
  expect((await finish(laptop, await accept(laptop))).status.state).toBe("SUCCEEDED");
});

it("an execution that was aborted ends its operation FAILED", async () => {
  const state = { ready: false, looks: 0, undone: false };
  const laptop = openToyLaptop({ sagas: { toy: waitingSaga(state) } });
  const id = await accept(laptop);
  await laptop.pass(minute);
  await laptop.engine.stopExecution(`arn:aws:states:us-east-1:000000000000:execution:toy:${id}`);
  const operation = await finish(laptop, id);
  expect(operation.status.state).toBe("FAILED");
});
