import { expect, it } from "vitest";
import { hours } from "../../../../core/clock.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { stuckState } from "../../../../core/kernel/saga/saga.ts";
import { runStep } from "../../../../core/kernel/saga/step.ts";
import { byKeptTokens, keepToken } from "../../../../core/kernel/saga/tokens.ts";
import { testDeps } from "../../../support/deps.ts";
import { toyDeps } from "../../../support/toy/deps.ts";
import { orderToy } from "../../../support/toy/orders.ts";
import { toySagas } from "../../../support/toy/sagas.ts";

const long = "a token of Step Functions ".repeat(30);

it("answers go to the token behind the name, and a token is kept once", async () => {
  const { store, clock, workflow, workflowCalls } = testDeps();
  const name = await keepToken({ store, clock }, long, hours(24));
  expect(await keepToken({ store, clock }, long, hours(24))).toBe(name);
  expect(name.length).toBeLessThan(30);
  await workflow.succeed(name);
  await workflow.fail(name, "Rejected", "no");
  expect(workflowCalls).toEqual([
    ["succeed", long],
    ["fail", long, "Rejected", "no"],
  ]);
  const items = store.items().filter(({ pk }) => pk.startsWith("token#"));
  expect(items).toHaveLength(1);
  // As long as a task may wait, and not for ever.
  expect(items[0]?.expires).toBe((clock.now() + hours(25)) / 1000);
});

it("no task waits any more for a token that is kept no more", async () => {
  const { store } = testDeps();
  const asked = byKeptTokens(store, { succeed: async () => true, fail: async () => true });
  expect([await asked.succeed("kept#gone"), await asked.fail("kept#gone", "Rejected", "")]).toEqual(
    [false, false],
  );
});

it.each(["MakeCrate", stuckState])("an operation in %s has the name alone", async (step) => {
  const deps = toyDeps();
  const operation = await orderToy(deps);
  const failure = { step: "", error: "Internal", cause: "" };
  await runStep(deps, toySagas, { operation, step, token: long, failure });
  const { steps } = await mustLoad(deps, "operation", operation);
  expect(steps[step]?.token).toBe(await keepToken(deps, long, hours(1)));
});
