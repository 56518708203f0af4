import { expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import { AppError } from "../../../../core/error.ts";
import { done, pending, step } from "../../../../core/kernel/saga/saga.ts";
import { edit } from "../../../../core/kernel/saga/settle.ts";
import { lookAgain, wake } from "../../../../core/kernel/saga/step.ts";
import {
  accept,
  finish,
  openToyLaptop,
  operationOf,
  type ToyAction,
  toySaga,
} from "../../../support/toy/laptop.ts";
import { cancel, noting, refuse } from "../../../support/toy/steps.ts";

/** How steps wait: no wake-up is lost, none does harm, and an outage is waited for. */

const minute = 60_000;
const hour = 60 * minute;

const waitsWith = (action: Partial<ToyAction>) =>
  toySaga([step<ToyAction>("Wait", { deadline: 24 * hour, ...action }, { none: "test" })]);

it("what happens while a step is not waiting yet is seen before it waits", async () => {
  let ready = false;
  let seen = false;
  const sagas = {
    toy: waitsWith({
      act: async (_, { deps, operation }) => {
        // Its news comes at once, and finds nobody who waits.
        ready = true;
        await wake(deps, sagas, operation.id);
      },
      look: async () => {
        seen = ready;
      },
      until: async () => (seen ? done : pending("the world to turn")),
    }),
  };
  const laptop = openToyLaptop({ sagas });
  // Lost news would leave the step waiting until its deadline, at which it fails.
  expect((await finish(laptop, await accept(laptop))).status.state).toBe("SUCCEEDED");
});

it.each([
  ["looks right after its act", {}, ["act", "look"]],
  ["that looks later does so when its time has come", { looksLater: true as const }, ["act"]],
])("a step %s", async (_, more, atFirst) => {
  const did: string[] = [];
  const act = async () => void did.push("act");
  const look = async () => void did.push("look");
  const until = () => (did.length > 2 ? done : pending("the world to turn", minute));
  const sagas = { toy: waitsWith({ act, look, until, ...more }) };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.until(
    async () => (await operationOf(laptop, id)).steps.Wait?.state === "WAITING",
    "",
  );
  expect(did).toEqual(atFirst);
  expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
});

it("news that comes when a step has just found that it must wait is not lost", async () => {
  let ready = false;
  let asked = 0;
  const sagas = {
    toy: waitsWith({
      until: async (_, { operation }) => {
        asked += 1;
        if (asked > 1) return ready ? done : pending("the world to turn");
        // Nobody waits yet, so this wakes nobody.
        ready = true;
        await wake(laptop.deps, sagas, operation.id);
        return pending("the world to turn");
      },
    }),
  };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.pass(1000);
  expect((await operationOf(laptop, id)).status.state).toBe("SUCCEEDED");
});

it("a wake-up that decides while the step is at work again leaves the step at work", async () => {
  let meanwhile = async () => {};
  let turned = false;
  const until = async () => {
    await meanwhile();
    return turned ? done : pending("the world to turn");
  };
  const sagas = { toy: waitsWith({ until }) };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  const entry = async () => (await operationOf(laptop, id)).steps.Wait;
  await laptop.until(async () => (await entry())?.state === "WAITING", "the wait");
  meanwhile = async () => {
    turned = true;
    await edit(laptop.deps, id, ({ steps: { Wait, ...steps }, ...operation }) => ({
      ...operation,
      steps: { ...steps, ...(Wait && { Wait: { ...Wait, state: "RUNNING", attempt: "newest" } }) },
    }));
  };
  await wake(laptop.deps, sagas, id);
  expect(await entry()).toMatchObject({ state: "RUNNING", attempt: "newest" });
});

it("late and repeated wake-ups do no harm", async () => {
  const log: string[] = [];
  let ready = false;
  const until = async () => (ready ? done : pending("the world to turn"));
  const waiting = step<ToyAction>("Wait", { until, deadline: hour }, { none: "test" });
  const sagas = { toy: toySaga([waiting, noting(log, "Next")]) };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.pass(1000);
  ready = true;
  await Promise.all(Array.from({ length: 5 }, () => wake(laptop.deps, sagas, id)));
  const ended = await finish(laptop, id);
  expect(log).toEqual(["Next"]);
  await wake(laptop.deps, sagas, id);
  await lookAgain(laptop.deps, sagas, id, "Wait");
  expect(await operationOf(laptop, id)).toMatchObject({ status: ended.status, steps: ended.steps });
});

it.each([
  ["at once", 0, ["Wait"]],
  ["in a second", 1000, []],
  ["only when there is news", undefined, []],
])("news after which a step is to look %s", async (_, lookAgain, looked) => {
  let isNews = false;
  const sagas = {
    toy: waitsWith({ until: async () => pending("the world", isNews ? lookAgain : hour) }),
  };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.pass(1000);
  const asked: string[] = [];
  const rechecks = { request: async (_: string, name: string) => void asked.push(name) };
  isNews = true;
  await wake({ ...laptop.deps, rechecks }, sagas, id);
  expect(asked).toEqual(looked);
  expect((await operationOf(laptop, id)).steps.Wait?.state).toBe("WAITING");
});

it.each([
  ["that can pass keeps the wait", "Unavailable", "RUNNING"],
  ["that lasts ends the step", "Rejected", "FAILED"],
] as const)("an error %s when news is judged", async (_, kind, state) => {
  let fails = false;
  const sagas = {
    toy: waitsWith({
      until: async () => {
        if (fails) throw new AppError(kind, "the table says no");
        return pending("the world");
      },
    }),
  };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.pass(1000);
  const before = (await operationOf(laptop, id)).steps;
  fails = true;
  await wake(laptop.deps, sagas, id);
  if (kind === "Unavailable") expect((await operationOf(laptop, id)).steps).toEqual(before);
  fails = false;
  await laptop.pass(5000);
  expect((await operationOf(laptop, id)).status.state).toBe(state);
});

it("an operation that is asked to stop waits for nothing any more", async () => {
  const log: string[] = [];
  let looks = 0;
  const sagas = {
    toy: toySaga([
      noting(log, "One"),
      step<ToyAction>(
        "Wait",
        {
          look: async () => void looks++,
          until: async () => pending("the world to turn", 1000),
          deadline: 24 * hour,
        },
        { none: "test" },
      ),
    ]),
  };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.pass(minute);
  expect(looks).toBeGreaterThan(1);
  await cancel(laptop, id);
  await laptop.pass(minute);
  const until = looks;
  expect((await operationOf(laptop, id)).status.state).toBe("CANCELLED");
  await laptop.pass(10 * minute);
  expect(looks).toBe(until);
  expect(log).toEqual(["One", "Undo One"]);
});

it("a look that comes just as its operation is asked to stop is not accepted", async () => {
  let looks = 0;
  const sagas = {
    toy: waitsWith({
      look: async () => void looks++,
      until: async () => pending("the world to turn"),
    }),
  };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.pass(minute);
  await cancel(laptop, id);
  await lookAgain(laptop.deps, sagas, id, "Wait");
  expect(looks).toBe(1);
});

it("a look that cannot reach the world keeps the wait, says so, and is taken again", async () => {
  let away = true;
  const look = async () => {
    if (away) throw new AppError("Unavailable", "the hub does not answer");
  };
  let looked = 0;
  const sagas = {
    toy: waitsWith({
      look: async () => {
        looked += 1;
        if (looked > 1) await look();
      },
      until: async () => (looked > 1 && !away ? done : pending("the world to turn", 30_000)),
    }),
  };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.pass(5 * minute);
  const { steps } = await operationOf(laptop, id);
  expect(steps.Wait).toMatchObject({
    state: "WAITING",
    attempts: 1,
    message: "the hub does not answer",
  });
  away = false;
  expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
});

it.each(["do", "undo"])("an outage of three hours makes a %s wait, and no longer", async (how) => {
  const log: string[] = [];
  let away = true;
  let asked = 0;
  const askTheHub = async () => {
    asked += 1;
    if (away) throw new AppError("Unavailable", "the hub does not answer");
    log.push(how);
  };
  const patient = { act: askTheHub, deadline: 24 * hour };
  const saga =
    how === "do"
      ? toySaga([step<ToyAction>("One", patient, { none: "test" })])
      : toySaga([
          step<ToyAction>("One", { act: async () => {}, deadline: minute }, patient),
          step<ToyAction>("Two", { act: async () => refuse(), deadline: minute }, { none: "" }),
        ]);
  const laptop = openToyLaptop({ sagas: { toy: saga } });
  const id = await accept(laptop);
  // In strides: what happens in between are tries in vain.
  await laptop.clock.advance(3 * hour);
  const { status, steps } = await operationOf(laptop, id);
  expect(status.state).toBe("RUNNING");
  expect(steps[how === "do" ? "One" : "Undo One"]?.message).toBe("the hub does not answer");
  // Its answer has spent the token.
  expect(steps[how === "do" ? "One" : "Undo One"]).not.toHaveProperty("token");
  expect(asked).toBeGreaterThan(20);
  away = false;
  const ended = await finish(laptop, id);
  expect(ended.status.state).toBe(how === "do" ? "SUCCEEDED" : "FAILED");
  expect(log).toEqual([how]);
});

it("an outage does not use up the time of a step; what comes after it does", async () => {
  let away = true;
  const log: string[] = [];
  const saga = toySaga([
    step<ToyAction>(
      "One",
      {
        act: async () => {
          if (away) throw new AppError("Unavailable", "the hub does not answer");
          log.push("made");
        },
        until: async () => pending("the world to turn"),
        deadline: 10 * minute,
      },
      { act: async () => void log.push("Undo One"), deadline: minute },
    ),
  ]);
  const laptop = openToyLaptop({ sagas: { toy: saga } });
  const id = await accept(laptop);
  await laptop.clock.advance(hour);
  expect((await operationOf(laptop, id)).status.state).toBe("RUNNING");
  away = false;
  await laptop.pass(5 * minute);
  expect(log).toEqual(["made"]);
  expect((await operationOf(laptop, id)).steps.One).not.toHaveProperty("away_at");
  await laptop.pass(8 * minute);
  expect((await operationOf(laptop, id)).status).toMatchObject({
    state: "FAILED",
    failure: { kind: "DeadlineExceeded" },
  });
  expect(log).toEqual(["made", "Undo One"]);
});

it("looks in vain do not use up the time of a step either", async () => {
  let away = false;
  let looks = 0;
  const sagas = {
    toy: toySaga([
      step<ToyAction>(
        "Wait",
        {
          look: async () => {
            looks += 1;
            if (away) throw new AppError("Unavailable", "the fabric does not answer");
          },
          until: async () => pending("the world to turn", 10_000),
          deadline: 10 * minute,
        },
        { none: "test" },
      ),
    ]),
  };
  const laptop = openToyLaptop({ sagas });
  const id = await accept(laptop);
  await laptop.pass(minute);
  away = true;
  await laptop.pass(hour);
  expect((await operationOf(laptop, id)).status.state).toBe("RUNNING");
  expect(looks).toBeGreaterThan(50);
  away = false;
  await laptop.pass(8 * minute);
  expect((await operationOf(laptop, id)).status.state).toBe("RUNNING");
  await laptop.pass(4 * minute);
  expect((await operationOf(laptop, id)).status.failure?.kind).toBe("DeadlineExceeded");
});

it.each([
  ["a try in vain", 10, "act"],
  ["a look in vain", 10 * minute, "look"],
] as const)(
  "a deadline that comes between %s and the next waits for it",
  async (_, deadline, first) => {
    let away = first === "act";
    let tries = 0;
    let turned = false;
    const ask = async () => {
      if (!away) return;
      tries += 1;
      throw new AppError("Unavailable", "the hub does not answer");
    };
    const one = step<ToyAction>(
      "One",
      {
        [first]: ask,
        until: async () => (turned ? done : pending("the world to turn", 10_000)),
        deadline,
      },
      { none: "test" },
    );
    const laptop = openToyLaptop({ sagas: { toy: toySaga([one]) } });
    const id = await accept(laptop);
    if (first === "look") await laptop.pass(deadline - 15_000);
    away = true;
    await laptop.until(() => tries === 1, "the first try in vain");
    [away, turned] = [false, true];
    expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
  },
);

it("gives up on what cannot be reached for a day, and says what it was", async () => {
  const log: string[] = [];
  const laptop = openToyLaptop({
    sagas: {
      toy: toySaga([
        step<ToyAction>(
          "One",
          {
            act: async () => {
              throw new AppError("Unavailable", "the hub does not answer");
            },
            deadline: 10 * minute,
          },
          { act: async () => void log.push("Undo One"), deadline: minute },
        ),
      ]),
    },
  });
  const id = await accept(laptop);
  await laptop.pass(5 * minute);
  // Nearly a day later, without the tries in between.
  await edit(laptop.deps, id, (operation) => {
    const { One: entry } = operation.steps;
    if (!entry) return undefined;
    const earlier = (time = "") => timestamp(Date.parse(time) - 23.9 * hour);
    return { ...operation, steps: { One: { ...entry, start_time: earlier(entry.start_time) } } };
  });
  await laptop.pass(30 * minute);
  const { status } = await operationOf(laptop, id);
  expect(status.failure?.kind).toBe("DeadlineExceeded");
  expect(status.failure?.message).toContain("the hub does not answer");
  expect(log).toEqual(["Undo One"]);
});

it("a worker that never answers does not hold its saga for ever: the state's own timeout turns back, for good", async () => {
  const log: string[] = [];
  let deliver: () => Promise<unknown> = async () => {};
  const first = step<ToyAction>(
    "One",
    { act: async () => void log.push("One"), deadline: minute },
    {
      act: async () => {
        // The worker that was lost turns up.
        await deliver();
        log.push("Undo One");
      },
      deadline: minute,
    },
  );
  const laptop = openToyLaptop({
    sagas: { toy: toySaga([first, noting(log, "Lost")]) },
    // Nothing is due in all that time.
    dueEvery: hour,
    invoke: (state, work) => {
      if (state !== "Lost") return work();
      deliver = work;
      return new Promise(() => {});
    },
  });
  const operation = await finish(laptop, await accept(laptop));
  expect(operation.status).toMatchObject({
    state: "FAILED",
    failure: { step: "Lost", kind: "States.Timeout" },
  });
  expect(log).toEqual(["One", "Undo One"]);
});
