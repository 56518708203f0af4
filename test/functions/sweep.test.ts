import { expect, test } from "vitest";
import { askForLook } from "../../core/feedback/sweep-hub.ts";
import { sweep } from "../../functions/sweep.ts";
import { sagas } from "../../statemachines/index.ts";
import { testDeps } from "../support/deps.ts";
import { depsWithCatalog, ordered } from "../support/orders.ts";
import { addHub } from "../support/placement.ts";

test("the sweep of what is due starts an operation that nobody has started", async () => {
  const deps = await depsWithCatalog();
  const { operation } = await ordered(deps);
  await deps.clock.advance(10 * 60_000);
  const asked: string[] = [];
  await sweep(deps, sagas, async (hub) => void asked.push(hub))({ sweep: "due" });
  expect(deps.workflowCalls).toContainEqual(["start", "cluster-create", operation.id]);
  expect(asked).toEqual([]);
});

test("the sweep of hubs asks the worker for each, and reaches none itself", async () => {
  const deps = testDeps();
  for (const hub of ["one", "two", "three"]) await addHub(deps, hub);
  const asked: string[] = [];
  await sweep(deps, sagas, async (hub) => void asked.push(hub))({ sweep: "hubs" });
  expect(asked.sort()).toEqual(["one", "three", "two"]);
});

test("a hub that somebody asked for is swept with what is due, once", async () => {
  const deps = testDeps();
  for (const hub of ["one", "two"]) await addHub(deps, hub);
  await askForLook(deps, "two");
  const asked: string[] = [];
  const run = sweep(deps, sagas, async (hub) => void asked.push(hub));
  await run({ sweep: "due" });
  await run({ sweep: "due" });
  expect(asked).toEqual(["two"]);
});

test("a schedule that says something else is refused", async () => {
  await expect(sweep(testDeps(), sagas, async () => {})({ sweep: "all" })).rejects.toThrow();
});
