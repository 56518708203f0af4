import { expect, it } from "vitest";
import { requestSweep } from "../../core/resources/hub/sweep-requests.ts";
import { due } from "../../functions/due.ts";
import { sagaShapes } from "../../statemachines/generated/shapes.ts";
import { testDeps } from "../support/deps.ts";
import { depsWithCatalog, ordered } from "../support/orders.ts";
import { addHub } from "../support/placement.ts";

it("an operation that nobody has started is started when its time has come", async () => {
  const deps = await depsWithCatalog();
  const { operation } = await ordered(deps);
  await deps.clock.advance(10 * 60_000);
  const asked: string[] = [];
  await due(deps, sagaShapes, async (hub) => void asked.push(hub))();
  expect(deps.workflowCalls).toContainEqual(["start", "cluster-create", operation.id]);
  expect(asked).toEqual([]);
});

it("a hub that somebody asked for is swept with what is due, once", async () => {
  const deps = testDeps();
  for (const hub of ["one", "two"]) await addHub(deps, hub);
  await requestSweep(deps.store, "two");
  const asked: string[] = [];
  const run = due(deps, sagaShapes, async (hub) => void asked.push(hub));
  await run();
  await run();
  expect(asked).toEqual(["two"]);
});
