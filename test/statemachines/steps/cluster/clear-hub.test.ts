import { expect, it } from "vitest";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import type { StepContext } from "../../../../core/kernel/saga/context.ts";
import type { Cluster, ObservedNodePool } from "../../../../core/resources/cluster/model.ts";
import { clearHub } from "../../../../statemachines/steps/cluster/deploy-control-plane.ts";
import { attemptAt } from "../../../support/attempt.ts";
import { testDeps } from "../../../support/deps.ts";
import { addHosts, addHub, addOrder, reserveFor } from "../../../support/placement.ts";

it("what is reported of a hub while it is cleared is kept, and cleared by the next look", async () => {
  const deps = testDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", ["s-00001"]);
  const order = await addOrder(deps, "one", { small: 1 });
  await reserveFor(deps, order);
  const stored = () => mustLoad(deps, "cluster", order.cluster);
  const look = async () => {
    const context = await attemptAt(deps, order.operation, "ReserveCapacity");
    await clearHub(await stored(), context as StepContext<Cluster>);
  };
  const pool: ObservedNodePool = {
    ...{ uid: "p", resource_version: "1", at: "2026-01-01T00:00:00.000Z", gone: true },
    ...{ desired: 1, replicas: 0, ready: false, version_completed: false, message: "" },
  };
  let reports = 0;
  const report = async () => {
    if (reports++ > 0) return;
    await changeObject(deps, "cluster", order.cluster, (each) => ({
      ...each,
      observed: { node_pools: { small: pool } },
    }));
  };
  deps.hubClients.set("hub", {
    clusters: { read: async () => [], removeNamespace: report },
    agents: { release: async () => {} },
  });
  await look();
  expect((await stored()).observed.node_pools).toEqual({ small: pool });
  await look();
  expect((await stored()).observed.node_pools).toEqual({});
});
