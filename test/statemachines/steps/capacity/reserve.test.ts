import { describe, expect, it } from "vitest";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import type { StepContext } from "../../../../core/kernel/saga/context.ts";
import { newEntry } from "../../../../core/kernel/saga/entry.ts";
import type { Operation } from "../../../../core/kernel/saga/operation.ts";
import { pending } from "../../../../core/kernel/saga/saga.ts";
import type { Store } from "../../../../core/kernel/store/store.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import {
  capacityReserved,
  reserveCapacity,
} from "../../../../statemachines/steps/capacity/reserve.ts";
import { wantedCapacity } from "../../../../statemachines/steps/cluster/capacity.ts";
import { attemptAt } from "../../../support/attempt.ts";
import { testDeps } from "../../../support/deps.ts";
import { interrupted, putting } from "../../../support/interrupted-store.ts";
import {
  addHosts,
  addHub,
  hostsNamed,
  placementOf,
  slotsOf,
  startOrder,
  statesIn,
} from "../../../support/placement.ts";

/** The step that reserves stops when its order does, between the choice of hosts and the claim. */

const step = "ReserveCapacity";
const stops: [string, (operation: Operation) => Operation][] = [
  ["cancelled", (each) => ({ ...each, cancel: { at: "", by: "alice", preempted: false } })],
  ["deleted", (each) => ({ ...each, cancel: { at: "", by: "alice", preempted: true } })],
  ["turned back", (each) => ({ ...each, unwinding: true })],
  ["overtaken", (each) => ({ ...each, steps: { [step]: { ...newEntry(0), attempt: "new" } } })],
];

describe.each([
  ["hosts", 2],
  ["a place in line", 3],
])("an order that is about to claim %s", (_, size) => {
  it.each(stops)("claims nothing once it is %s", async (__, stop) => {
    const deps = testDeps();
    await addHub(deps, "hub");
    await addHosts(deps, "hub", "small", hostsNamed("s", 2));
    const order = await startOrder(deps, "one", { small: size });
    const attempt = await attemptAt(deps, order.operation, step);
    const store = interrupted(deps.store, () =>
      changeObject(deps, "operation", order.operation, stop),
    );
    const context = { ...attempt, deps: { ...deps, store } } as StepContext<Cluster>;
    const cluster = await mustLoad(deps, "cluster", order.cluster);
    const reserving = reserveCapacity(wantedCapacity)(cluster, context);
    await expect(reserving).rejects.toMatchObject({ kind: "Cancelled" });
    expect(await placementOf(deps, order)).toBeUndefined();
    expect(await statesIn(deps.store, "hub", "small")).toEqual({ free: 2 });
    expect(await slotsOf(deps.store, "hub")).toBe(0);
    for (const queueName of ["hub", "slot", "host:small"])
      expect((await deps.store.query({ pk: `ticket#${queueName}` })).items).toEqual([]);
  });
});

it("an attempt that found too little does not say so of an order that another has placed since", async () => {
  const deps = testDeps();
  await addHub(deps, "hub");
  const order = await startOrder(deps, "one", { small: 1 });
  const reserve = async (store: Store = deps.store) => {
    const attempt = await attemptAt(deps, order.operation, step);
    const context = { ...attempt, deps: { ...deps, store } } as StepContext<Cluster>;
    const cluster = await mustLoad(deps, "cluster", order.cluster);
    await reserveCapacity(wantedCapacity)(cluster, context);
  };
  const served = async () => {
    await addHosts(deps, "hub", "small", hostsNamed("s", 1));
    await reserve();
  };
  await reserve(interrupted(deps.store, served, putting(`operation#${order.operation}`)));
  const { placement } = await mustLoad(deps, "operation", order.operation);
  expect(placement?.reason).toMatch(/^least loaded/);
  expect(placement).not.toHaveProperty("position");
});

describe("how soon an order that waits for capacity looks again if nothing wakes it", () => {
  it.each([
    ["next in line", { position: 1 }, 300],
    ["among the next twenty", { position: 20 }, 300],
    ["behind these", { position: 21 }, 600],
    ["behind more than are counted", { position: 101 }, 1800],
    ["that no hub could ever serve", {}, 600],
    [
      "that has not looked at every hub",
      { position: 101, walked: { list: "all", entry: "one" } },
      10,
    ],
  ])("%s", async (_, found, seconds) => {
    const deps = testDeps();
    const order = await startOrder(deps, "one", { small: 1 });
    const operation = await mustLoad(deps, "operation", order.operation);
    const cluster = await mustLoad(deps, "cluster", order.cluster);
    const placement = { reason: "waits", rejected: [], ...found };
    const context = { deps, operation: { ...operation, placement }, step };
    expect(capacityReserved(wantedCapacity)(cluster, context)).toEqual(
      pending("waits", 1000 * seconds),
    );
  });
});
