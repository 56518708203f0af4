import { expect, it } from "vitest";
import type { Handover } from "../../../../core/ports/aws/lambda.ts";
import { lambdaRechecks, lambdaWakes } from "../../../../core/ports/rechecks/lambda.ts";
import { sagas } from "../../../../statemachines/index.ts";
import { depsWithCatalog, ordered } from "../../../support/orders.ts";

function recording(): Handover & { calls: [string, object][] } {
  const calls: [string, object][] = [];
  return {
    calls,
    later: async (...call) => {
      calls.push(call);
    },
  };
}

it.each([
  ["ReserveCapacity", "core-worker"],
  ["Undo ReserveCapacity", "hub-worker"],
  ["DeployControlPlane", "hub-worker"],
  ["PublishCluster", "core-worker"],
])("a look at %s is the %s's", async (step, worker) => {
  const deps = await depsWithCatalog();
  const { operation } = await ordered(deps);
  const handover = recording();
  const workers = { core: "core-worker", hub: "hub-worker", site: "site-worker" };
  const rechecks = lambdaRechecks({ handover, workers, ...deps, shapes: sagas });
  await rechecks.request(operation.id, step);
  expect(handover.calls).toEqual([[worker, { operation: operation.id, step, look: true }]]);
});

it("who may end no step has the core worker wake the operation", async () => {
  const { operation } = await ordered(await depsWithCatalog());
  const handover = recording();
  await lambdaWakes(handover, "core-worker").request(operation.id);
  expect(handover.calls).toEqual([["core-worker", { operation: operation.id, wake: true }]]);
});
