import { expect, test } from "vitest";
import { askForLook } from "../../core/hub/asked.ts";
import type { Site } from "../../core/model/site.ts";
import { putNew } from "../../core/store/records.ts";
import { sweep } from "../../functions/sweep.ts";
import type { Sweep } from "../../functions/worker.ts";
import { sagas } from "../../statemachines/index.ts";
import { testDeps } from "../support/deps.ts";
import { depsWithCatalog, ordered } from "../support/orders.ts";
import { addHub, hubRecord } from "../support/placement.ts";

const untold = () => {};
const idOf = (call: Sweep) => ("hub" in call ? call.hub : call.site);

test("the sweep of what is due starts an operation that nobody has started", async () => {
  const deps = await depsWithCatalog();
  const { operation } = await ordered(deps);
  await deps.clock.advance(10 * 60_000);
  const asked: string[] = [];
  await sweep(
    deps,
    sagas,
    async (_, call) => void asked.push(idOf(call)),
    untold,
  )({ sweep: "due" });
  expect(deps.workflowCalls).toContainEqual(["start", "cluster-create", operation.id]);
  expect(asked).toEqual([]);
});

test("the sweep of hubs asks the worker for each, and reaches none itself", async () => {
  const deps = testDeps();
  for (const hub of ["one", "two", "three"]) await addHub(deps, hub);
  const asked: string[] = [];
  await sweep(
    deps,
    sagas,
    async (_, call) => void asked.push(idOf(call)),
    untold,
  )({ sweep: "hubs" });
  expect(asked.sort()).toEqual(["one", "three", "two"]);
});

test("a hub that somebody asked for is swept with what is due, once", async () => {
  const deps = testDeps();
  for (const hub of ["one", "two"]) await addHub(deps, hub);
  await askForLook(deps.store, "two");
  const asked: string[] = [];
  const run = sweep(deps, sagas, async (_, call) => void asked.push(idOf(call)), untold);
  await run({ sweep: "due" });
  await run({ sweep: "due" });
  expect(asked).toEqual(["two"]);
});

test("what hubs and sites have is looked at where they can be reached", async () => {
  const deps = testDeps();
  await addHub(deps, "one", { site: "site-1" });
  await addHub(deps, "two");
  const now = deps.clock.now();
  const { kind: _, ...like } = hubRecord("site-1", {}, now);
  const spec = { credentials: "site/site-1" };
  const site: Site = { ...like, kind: "site", spec, status: { low: [] } };
  await deps.store.transact(putNew(site));
  const asked: unknown[] = [];
  const run = sweep(deps, sagas, async (...call) => void asked.push(call), untold);
  await run({ sweep: "parts" });
  expect(asked.splice(0)).toEqual([["site", { hub: "one", sweep: "parts" }]]);
  await run({ sweep: "orphans" });
  expect(asked).toEqual([
    ["hub", { hub: "one", sweep: "orphans" }],
    ["hub", { hub: "two", sweep: "orphans" }],
    ["site", { site: "site-1", sweep: "orphans" }],
  ]);
});

test("a schedule that says something else is refused", async () => {
  await expect(
    sweep(testDeps(), sagas, async () => {}, untold)({ sweep: "all" }),
  ).rejects.toThrow();
});
