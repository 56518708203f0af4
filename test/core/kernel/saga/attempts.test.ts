import { expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import type { Deps } from "../../../../core/kernel/deps.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import type { StepContext } from "../../../../core/kernel/saga/context.ts";
import { done, pending, step } from "../../../../core/kernel/saga/saga.ts";
import { lookAgain, runStep, wake } from "../../../../core/kernel/saga/step.ts";
import { keptToken } from "../../../../core/kernel/saga/tokens.ts";
import {
  accept,
  finish,
  openToyLaptop,
  operationOf,
  type ToyAction,
  toySaga,
} from "../../../support/toy/laptop.ts";
import type { Toy } from "../../../support/toy/model.ts";
import { toyId } from "../../../support/toy/orders.ts";
import { cancel } from "../../../support/toy/steps.ts";

/** Attempts at one step that meet: only the newest may write, and none once the step has ended. */

const minute = 60_000;

/** An attempt that stops where it is until it is told to go on. */
class Pause {
  go: () => void = () => {};
  readonly #going = new Promise<void>((resolve) => {
    this.go = resolve;
  });
  here = (): Promise<void> => this.#going;
}

const painted =
  (colour: string) =>
  (toy: Toy): Toy => ({
    ...toy,
    coat: { colour, isDry: true },
  });

const coatOf = async (laptop: ReturnType<typeof openToyLaptop>) =>
  (await mustLoad(laptop.deps, "toy", toyId)).coat?.colour;

/** The token of the task that works on the step, as Step Functions gave it. */
async function tokenOf({ deps }: { deps: Deps }, id: string) {
  const { steps } = await mustLoad(deps, "operation", id);
  return (await keptToken(deps.store, steps.Paint?.token ?? "")) ?? "";
}

/** How an effect of an attempt is kept from an attempt that was overtaken. */
const effects: Record<string, (colour: string, context: StepContext<Toy>) => Promise<unknown>> = {
  "a change of the target": (colour, { change }) => change(painted(colour)),
  "an effect in the store, under the fence": (colour, { fence, deps }) =>
    deps.store.transact([...fence(), { put: { pk: "coat", sk: "-", colour } }]),
};
const colourAfter = async (laptop: ReturnType<typeof openToyLaptop>) =>
  (await laptop.store.get({ pk: "coat", sk: "-" }))?.colour ?? (await coatOf(laptop));

it.each(Object.entries(effects))(
  "%s of an attempt that was overtaken is refused",
  async (_, effect) => {
    const pause = new Pause();
    const refused: unknown[] = [];
    let attempts = 0;
    const slow = step<ToyAction>(
      "Paint",
      {
        deadline: 60 * minute,
        act: async (__, context) => {
          attempts += 1;
          if (attempts > 1) return void (await effect("blue", context));
          await pause.here();
          await context.guard().catch((error) => refused.push(error.kind));
          await effect("red", context);
        },
      },
      { none: "a test" },
    );
    const last = step<ToyAction>("End", { deadline: minute }, { none: "a test" });
    const sagas = { toy: toySaga([slow, last]) };
    const laptop = openToyLaptop({ sagas, workerTimeout: 60 * minute });
    const id = await accept(laptop);
    await laptop.until(() => attempts === 1, "the first attempt");
    const token = await tokenOf(laptop, id);
    // Step Functions delivers the task once more.
    await runStep(laptop.deps, sagas, { operation: id, step: "Paint", token });
    pause.go();
    const operation = await finish(laptop, id);
    expect(operation.status.state).toBe("SUCCEEDED");
    expect(refused).toEqual(["Cancelled"]);
    expect(await colourAfter(laptop)).toBe("blue");
    expect(operation.steps.Paint).toMatchObject({ state: "SUCCEEDED", attempts: 2 });
  },
);

it.each([
  ["well", async () => {}],
  [
    "badly",
    async () => {
      throw new Error("of no interest any more");
    },
  ],
])("an attempt that was overtaken ends %s, and the newer one decides", async (_, end) => {
  const [first, second] = [new Pause(), new Pause()];
  let attempts = 0;
  const slow = step<ToyAction>(
    "Paint",
    {
      deadline: 60 * minute,
      act: async (__, { change }) => {
        attempts += 1;
        if (attempts === 1) return first.here().then(end);
        await second.here();
        await change(painted("blue"));
      },
    },
    { none: "a test" },
  );
  const sagas = { toy: toySaga([slow]) };
  const laptop = openToyLaptop({ sagas, workerTimeout: 60 * minute });
  const id = await accept(laptop);
  await laptop.until(() => attempts === 1, "the first attempt");
  const token = await tokenOf(laptop, id);
  const again = runStep(laptop.deps, sagas, { operation: id, step: "Paint", token });
  await laptop.until(() => attempts === 2, "the second attempt");
  first.go();
  await laptop.pass(minute);
  const meanwhile = await operationOf(laptop, id);
  expect(meanwhile.steps.Paint?.state).toBe("RUNNING");
  expect(Object.keys(meanwhile.steps.Paint?.leases ?? {})).toHaveLength(1);
  second.go();
  await again;
  expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
  expect(await coatOf(laptop)).toBe("blue");
});

it("an attempt that was overtaken does not have its step wait", async () => {
  const [first, second] = [new Pause(), new Pause()];
  let attempts = 0;
  const slow = step<ToyAction>(
    "Paint",
    {
      deadline: 60 * minute,
      act: async () => (++attempts === 1 ? first.here() : second.here()),
      until: () => pending("the paint to dry"),
    },
    { none: "a test" },
  );
  const sagas = { toy: toySaga([slow]) };
  const laptop = openToyLaptop({ sagas, workerTimeout: 60 * minute });
  const id = await accept(laptop);
  await laptop.until(() => attempts === 1, "the first attempt");
  const token = await tokenOf(laptop, id);
  const again = runStep(laptop.deps, sagas, { operation: id, step: "Paint", token });
  await laptop.until(() => attempts === 2, "the second attempt");
  first.go();
  await laptop.pass(minute);
  const { Paint: entry } = (await operationOf(laptop, id)).steps;
  expect(entry).toMatchObject({ state: "RUNNING", attempts: 2 });
  expect(entry).not.toHaveProperty("message");
  second.go();
  await again;
  expect((await operationOf(laptop, id)).steps.Paint?.state).toBe("WAITING");
});

it("a look that is still under way when its step has ended writes nothing", async () => {
  const pause = new Pause();
  const refused: unknown[] = [];
  let looks = 0;
  let isDry = false;
  const wait = step<ToyAction>(
    "Wait",
    {
      deadline: 60 * minute,
      look: async (_, { change }) => {
        looks += 1;
        if (looks < 2) return;
        await pause.here();
        await change(painted("red")).catch((error) => refused.push(error.kind));
      },
      until: async () => (isDry ? done : pending("the paint to dry")),
    },
    { none: "a test" },
  );
  const next = step<ToyAction>(
    "Next",
    { deadline: 60 * minute, act: async (_, { change }) => void (await change(painted("blue"))) },
    { none: "a test" },
  );
  let isOver = false;
  const last = step<ToyAction>(
    "Last",
    { deadline: 60 * minute, until: async () => (isOver ? done : pending("the end")) },
    { none: "a test" },
  );
  const sagas = { toy: toySaga([wait, next, last]) };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.pass(minute);
  const look = lookAgain(laptop.deps, sagas, id, "Wait");
  await laptop.until(() => looks === 2, "the look");
  isDry = true;
  await wake(laptop.deps, sagas, id);
  await laptop.until(async () => (await coatOf(laptop)) === "blue", "the next step");
  pause.go();
  await look;
  expect(refused).toEqual(["Cancelled"]);
  expect(await coatOf(laptop)).toBe("blue");
  isOver = true;
  await wake(laptop.deps, sagas, id);
  expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
});

it("an attempt that ran out of its worker's time writes nothing, and its undo waits for its lease", async () => {
  const pause = new Pause();
  const log: string[] = [];
  const slow = step<ToyAction>(
    "Paint",
    {
      deadline: 60 * minute,
      act: async (_, { change }) => {
        if (log.push("begun") > 1) throw new Error("it is tried again");
        await pause.here();
        await change(painted("red")).catch((error) => log.push(error.kind));
      },
    },
    { deadline: 60 * minute, act: async () => void log.push("Undo Paint") },
  );
  const sagas = { toy: toySaga([slow]) };
  const laptop = openToyLaptop({ sagas, workerTimeout: 10_000 });
  const id = await accept(laptop);
  await laptop.pass(11_000);
  await cancel(laptop, id);
  await laptop.pass(500);
  expect(log).toEqual(["begun"]);
  pause.go();
  expect((await finish(laptop, id)).status.state).toBe("CANCELLED");
  expect(log).toEqual(["begun", "Cancelled", "Undo Paint"]);
  expect(await coatOf(laptop)).toBeUndefined();
});

it.each(["act", "look"] as const)(
  "no undo begins while the %s of an attempt that ran out of time may still take effect",
  async (effect) => {
    const pause = new Pause();
    const log: string[] = [];
    const slow = step<ToyAction>(
      "Paint",
      { deadline: 60 * minute, [effect]: pause.here, until: () => pending("the paint to dry") },
      { deadline: 60 * minute, act: async () => void log.push("Undo Paint") },
    );
    const sagas = { toy: toySaga([slow]) };
    const laptop = openToyLaptop({ sagas, workerTimeout: 10_000 });
    const id = await accept(laptop);
    await laptop.pass(10_500);
    expect((await operationOf(laptop, id)).steps.Paint?.message).toMatch(
      /the step did not end within 10 s/,
    );
    const answers: string[] = [];
    const workflow = {
      ...laptop.deps.workflow,
      succeed: async () => Boolean(answers.push("done")),
      fail: async (_: string, kind: string) => Boolean(answers.push(kind)),
    };
    const undo = { operation: id, step: "Undo Paint", token: "t" };
    await runStep({ ...laptop.deps, workflow }, sagas, undo);
    expect(answers).toEqual(["Unavailable"]);
    expect(log).toEqual([]);
    // The lease has a margin of two seconds.
    await laptop.pass(2000);
    await runStep({ ...laptop.deps, workflow }, sagas, undo);
    expect(answers).toEqual(["Unavailable", "done"]);
    expect(log).toEqual(["Undo Paint"]);
    pause.go();
  },
);

it("a task that begins after the one that replaced it takes nobody's answer away", async () => {
  const pause = new Pause();
  const tokens: string[] = [];
  const slow = step<ToyAction>(
    "Paint",
    {
      deadline: 60 * minute,
      act: async (__, { deps, operation }) => {
        if (tokens.push(await tokenOf({ deps }, operation.id)) === 1)
          throw new AppError("Unavailable", "it is tried again");
        if (tokens.length === 2) await pause.here();
      },
    },
    { none: "a test" },
  );
  const last = step<ToyAction>("End", { deadline: minute }, { none: "a test" });
  const sagas = { toy: toySaga([slow, last]) };
  const laptop = openToyLaptop({ sagas, workerTimeout: 60 * minute });
  const id = await accept(laptop);
  await laptop.until(() => tokens.length === 2, "the second task");
  const [first = "", second] = tokens;
  expect(second).not.toBe(first);
  await runStep(laptop.deps, sagas, { operation: id, step: "Paint", token: first });
  await laptop.pass(minute);
  expect((await operationOf(laptop, id)).status.state).toBe("SUCCEEDED");
  pause.go();
});
