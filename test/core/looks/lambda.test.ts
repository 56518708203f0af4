import { expect, test } from "vitest";
import type { Invoker } from "../../../core/lambda/invoke.ts";
import { lambdaLooks } from "../../../core/looks/lambda.ts";
import { sagas } from "../../../statemachines/index.ts";
import { depsWithCatalog, ordered } from "../../support/orders.ts";

function recording(): Invoker & { calls: [string, object][] } {
  const calls: [string, object][] = [];
  return {
    calls,
    later: async (...call) => {
      calls.push(call);
    },
    now: () => Promise.reject(new Error("nobody waits for a look")),
  };
}

test.each([
  ["ReserveCapacity", "core-worker"],
  ["Undo ReserveCapacity", "hub-worker"],
  ["DeployControlPlane", "hub-worker"],
  ["PublishCluster", "core-worker"],
])("a look at %s is the %s's", async (step, worker) => {
  const deps = await depsWithCatalog();
  const { operation } = await ordered(deps);
  const invoker = recording();
  const workers = { core: "core-worker", hub: "hub-worker", site: "site-worker" };
  const looks = lambdaLooks({ invoker, workers, store: deps.store, shapes: sagas });
  await looks.look(operation.id, step);
  expect(invoker.calls).toEqual([[worker, { operation: operation.id, step, look: true }]]);
});
