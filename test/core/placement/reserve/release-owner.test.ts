import { expect, it } from "vitest";
import { asOperationId } from "../../../../core/id.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { freeHostsKey } from "../../../../core/kernel/object/hub-keys.ts";
import { hostCounts } from "../../../../core/placement/pool/host-counts.ts";
import { testDeps } from "../../../support/deps.ts";
import { interrupted } from "../../../support/interrupted-store.ts";
import {
  addHosts,
  addHub,
  addOrder,
  giveAllBack,
  heldBy,
  hostsNamed,
  placementOf,
  reserveFor,
  slotsOf,
  statesIn,
} from "../../../support/placement.ts";
import { setMaintenance } from "../../../support/waiting.ts";

/** Who may give hosts back, and how often. */

/** An order with two hosts. */
async function placed() {
  const deps = testDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", hostsNamed("s", 3));
  const order = await addOrder(deps, "one", { small: 2 });
  await reserveFor(deps, order);
  /** Gives the cluster another operation, or none. */
  const handOver = (operation?: string) =>
    changeObject(deps, "cluster", order.cluster, ({ operation: _, ...cluster }) => ({
      ...cluster,
      ...(operation !== undefined && { operation: asOperationId(operation) }),
    }));
  return { deps, order, handOver };
}

it.each(["another", undefined])(
  "an operation gives nothing back once its cluster has the operation %s",
  async (operation) => {
    const { deps, order, handOver } = await placed();
    await handOver(operation);
    await giveAllBack(deps, order);
    expect(await heldBy(deps, order)).toHaveLength(2);
    expect(await slotsOf(deps.store, "hub")).toBe(1);
    expect(await statesIn(deps.store, "hub", "small")).toEqual({ free: 1, held: 2 });
  },
);

it("an operation gives nothing back whose cluster is handed over between read and write", async () => {
  const { deps, order, handOver } = await placed();
  const store = interrupted(deps.store, () => handOver("another"));
  await giveAllBack({ ...deps, store }, order);
  expect(await heldBy(deps, order)).toHaveLength(2);
});

it("hosts and slot are given back once, however often that is asked", async () => {
  const { deps, order } = await placed();
  await giveAllBack(deps, order);
  await giveAllBack(deps, order);
  expect(await placementOf(deps, order)).toBeUndefined();
  expect(await slotsOf(deps.store, "hub")).toBe(0);
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ free: 3 });
});

it("a host that cannot be used is given back out of the pool, and does not count as free", async () => {
  const { deps, order } = await placed();
  const counts = async () => {
    const item = await deps.store.get(freeHostsKey("hub"));
    return [hostCounts(item).small ?? 0, hostCounts(item, "held").small ?? 0];
  };
  const [free = 0, held] = await counts();
  expect(held).toBe(2);
  const [host = ""] = await heldBy(deps, order);
  await setMaintenance(deps, host, true);
  await giveAllBack(deps, order);
  expect(await counts()).toEqual([free + 1, 0]);
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ free: 2, out: 1 });
});
