import { expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { slotsKey } from "../../../../core/kernel/object/hub-keys.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import type { Store } from "../../../../core/kernel/store/store.ts";
import { testDeps } from "../../../support/deps.ts";
import {
  addHosts,
  addHub,
  addOrder,
  giveAllBack,
  heldBy,
  hostsNamed,
  nodeSetsOf,
  placementOf,
  reserveFor,
  slotsOf,
  statesIn,
} from "../../../support/placement.ts";
import { setMaintenance, untilQuiet, waitingDeps } from "../../../support/waiting.ts";

/** Orders of more hosts than one transaction takes. */

const small = hostsNamed("s", 120);
const gpu = hostsNamed("g", 80);

async function world(deps = waitingDeps()) {
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", small);
  await addHosts(deps, "hub", "gpu", gpu);
  return deps;
}

/** Fails every transaction from the nth on, as a process that dies there. */
function dying(store: Store, after: number): Store {
  let left = after;
  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    count: (query) => store.count(query),
    async transact(writes) {
      if (left-- <= 0) throw new AppError("Unavailable", "the process died");
      return store.transact(writes);
    },
  };
}

it("gets all of its hosts, of two types, and one slot", async () => {
  const deps = await world();
  const order = await addOrder(deps, "large", { small: 120, gpu: 80 });
  expect(await reserveFor(deps, order)).toMatchObject({ placed: true });
  expect(new Set(await heldBy(deps, order)).size).toBe(200);
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ held: 120 });
  expect(await statesIn(deps.store, "hub", "gpu")).toEqual({ held: 80 });
  expect(await slotsOf(deps.store, "hub")).toBe(1);
  expect((await deps.store.query({ pk: "ticket#host:small" })).items).toEqual([]);
});

it("gets nothing when one host is missing", async () => {
  const deps = await world();
  const order = await addOrder(deps, "large", { small: 121, gpu: 80 });
  expect(await reserveFor(deps, order)).toMatchObject({ placed: false });
  expect(await heldBy(deps, order)).toEqual([]);
  expect(await slotsOf(deps.store, "hub")).toBe(0);
});

it.each([1, 2])("a crash after %i chunks loses nothing: the step goes on", async (chunks) => {
  const deps = await world();
  const order = await addOrder(deps, "large", { small: 120, gpu: 80 });
  const dead = { ...deps, store: dying(deps.store, chunks) };
  await expect(reserveFor(dead, order)).rejects.toMatchObject({ kind: "Unavailable" });
  expect(await heldBy(deps, order)).toHaveLength(80 * chunks);
  // Nobody takes the rest meanwhile: it stands first in line.
  const other = await addOrder(deps, "small", { small: 1 });
  await deps.clock.advance(1);
  expect(await reserveFor(deps, other)).toMatchObject({ placed: false });
  expect(await reserveFor(deps, order)).toMatchObject({ placed: true });
  expect(new Set(await heldBy(deps, order)).size).toBe(200);
  expect(await slotsOf(deps.store, "hub")).toBe(1);
});

it("a crash between chunks, then an undo, leaks nothing", async () => {
  const deps = await world();
  const order = await addOrder(deps, "large", { small: 120, gpu: 80 });
  const dead = { ...deps, store: dying(deps.store, 2) };
  await expect(reserveFor(dead, order)).rejects.toMatchObject({ kind: "Unavailable" });
  await giveAllBack(deps, order);
  expect(await placementOf(deps, order)).toBeUndefined();
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ free: 120 });
  expect(await statesIn(deps.store, "hub", "gpu")).toEqual({ free: 80 });
  expect(await slotsOf(deps.store, "hub")).toBe(0);
});

it("two that race for hosts that suffice for one: one gets all, the other waits and holds nothing", async () => {
  const deps = await world();
  const first = await addOrder(deps, "first", { small: 100, gpu: 70 });
  await deps.clock.advance(1);
  const second = await addOrder(deps, "second", { small: 100, gpu: 70 });
  const orders = [second, first];
  await Promise.all(orders.map((order) => reserveFor(deps, order)));
  await untilQuiet(deps, orders);
  const sizes = (await Promise.all(orders.map((order) => heldBy(deps, order)))).map(
    ({ length }) => length,
  );
  expect(sizes.sort()).toEqual([0, 170]);
  expect(await slotsOf(deps.store, "hub")).toBe(1);
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ held: 100, free: 20 });

  const [winner, loser] =
    (await heldBy(deps, first)).length > 0 ? [first, second] : [second, first];
  await giveAllBack(deps, winner);
  await untilQuiet(deps, [loser]);
  expect(await heldBy(deps, loser)).toHaveLength(170);
});

it("ten that race end with whole orders only, and each host once", async () => {
  const deps = await world();
  const orders = [];
  for (const name of hostsNamed("order", 10)) {
    orders.push(await addOrder(deps, name, { small: 30, gpu: 60 }));
    await deps.clock.advance(1);
  }
  await Promise.all(orders.map((order) => reserveFor(deps, order)));
  await untilQuiet(deps, orders);
  const holdings = await Promise.all(orders.map((order) => heldBy(deps, order)));
  expect(holdings.filter(({ length }) => length > 0).map(({ length }) => length)).toEqual([90]);
});

it("a part that was given back may be taken on another hub", async () => {
  const deps = await world();
  const order = await addOrder(deps, "large", { small: 120, gpu: 80 });
  const dead = { ...deps, store: dying(deps.store, 1) };
  await expect(reserveFor(dead, order)).rejects.toMatchObject({ kind: "Unavailable" });
  // One of the rest leaves the pool: this hub cannot serve it any more.
  await setMaintenance(deps, "g-00000", true);
  await deps.relayed();
  expect(await reserveFor(deps, order)).toMatchObject({ placed: false });
  expect(await heldBy(deps, order)).toEqual([]);
  await addHub(deps, "other");
  await addHosts(deps, "other", "small", hostsNamed("t", 120));
  await addHosts(deps, "other", "gpu", hostsNamed("h", 80));
  await untilQuiet(deps, [order]);
  expect(await placementOf(deps, order)).toMatchObject({ hub: "other" });
});

it("giving back in chunks survives a crash between them", async () => {
  const deps = await world();
  const order = await addOrder(deps, "large", { small: 120, gpu: 80 });
  await reserveFor(deps, order);
  const dead = { ...deps, store: dying(deps.store, 1) };
  await expect(giveAllBack(dead, order)).rejects.toMatchObject({
    kind: "Unavailable",
  });
  expect(await heldBy(deps, order)).toHaveLength(160);
  expect(await slotsOf(deps.store, "hub")).toBe(1);
  await giveAllBack(deps, order);
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ free: 120 });
  expect(await statesIn(deps.store, "hub", "gpu")).toEqual({ free: 80 });
  expect(await deps.store.get(slotsKey("hub"))).toMatchObject({ used: 0 });
  await giveAllBack(deps, order);
  expect(await slotsOf(deps.store, "hub")).toBe(0);
});

it("an order of many host types fits into transactions", async () => {
  const deps = testDeps();
  await addHub(deps, "hub");
  const types = hostsNamed("type", 40);
  for (const type of types) await addHosts(deps, "hub", type, hostsNamed(`${type}-h`, 3));
  const order = await addOrder(deps, "wide", Object.fromEntries(types.map((type) => [type, 3])));
  expect(await reserveFor(deps, order)).toMatchObject({ placed: true });
  expect(new Set(await heldBy(deps, order)).size).toBe(120);
});

it("a change that halted keeps the hosts its cluster uses while the next one waits", async () => {
  const deps = await world();
  const order = await addOrder(deps, "grown", { gpu: 3 });
  await reserveFor(deps, order);
  const [used = ""] = await heldBy(deps, order);
  await changeObject(deps, "host", used, ({ status, ...host }) => ({
    ...host,
    status: {
      ...status,
      ...(status.agent ? { agent: { ...status.agent, state: "added-to-existing-cluster" } } : {}),
    },
  }));
  await changeObject(deps, "cluster", order.cluster, (cluster) => ({
    ...cluster,
    applied: nodeSetsOf({ gpu: 0 }),
    spec: {
      ...cluster.spec,
      node_sets: nodeSetsOf({ gpu: 100 }),
    },
  }));
  expect(await reserveFor(deps, order)).toMatchObject({ placed: false });
  expect(await heldBy(deps, order)).toEqual([used]);
  const { placement } = await mustLoad(deps, "cluster", order.cluster);
  expect(placement?.hub).toBe("hub");
});
