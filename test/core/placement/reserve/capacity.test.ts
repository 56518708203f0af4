import { describe, expect, it } from "vitest";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import { counting } from "../../../support/counting-store.ts";
import { testDeps } from "../../../support/deps.ts";
import {
  addHosts,
  addHub,
  addOrder,
  fillPool,
  heldBy,
  hostsNamed,
  poolOf,
  reserveFor,
  slotsOf,
  statesIn,
} from "../../../support/placement.ts";

it.each([0, 25])(
  "200 orders at once for 20 hosts: ten get two each, the others wait (index %i writes behind)",
  async (indexLag) => {
    const deps = testDeps({ store: openSqliteStore(":memory:", { indexLag }) });
    await addHub(deps, "hub", { capacity: 1000 });
    await addHosts(deps, "hub", "small", hostsNamed("s", 20));
    const orders = [];
    for (const name of hostsNamed("order", 200)) {
      orders.push(await addOrder(deps, name, { small: 2 }));
      await deps.clock.advance(1);
    }
    deps.store.catchUp();
    const answers = await Promise.all(orders.map((order) => reserveFor(deps, order)));
    expect(answers.filter(({ placed }) => placed)).toHaveLength(10);
    const held = (await Promise.all(orders.map((order) => heldBy(deps, order)))).flat();
    expect(held).toHaveLength(20);
    expect(new Set(held).size).toBe(20);
    expect(await statesIn(deps.store, "hub", "small")).toEqual({ held: 20 });
    expect(await slotsOf(deps.store, "hub")).toBe(10);
    for (const entry of await poolOf(deps.store, "hub", "small")) {
      const cluster = await mustLoad(deps, "cluster", String(entry.owner));
      expect(cluster.placement?.hosts.small).toContain(entry.sk);
    }
    expect((await deps.store.query({ pk: "ticket#host:small", limit: 500 })).items).toHaveLength(
      190,
    );
  },
);

describe("what an order costs", () => {
  it.each([100, 1_000, 10_000])("is the same in a world of %i hosts", async (size) => {
    const deps = testDeps();
    await addHub(deps, "hub");
    await fillPool(deps.store, "hub", "small", hostsNamed("s", size));
    const order = await addOrder(deps, "one", { small: 3 });
    const { counted, calls } = counting(deps.store);
    expect(await reserveFor({ ...deps, store: counted }, order)).toMatchObject({ placed: true });
    expect(calls).toEqual({
      ...{ get: 4, getMany: 2, query: 4, count: 0, transact: 1 },
      ...{ read: 15, counted: 0, written: 8 },
    });
  });
});
