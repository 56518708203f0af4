import { describe, expect, it } from "vitest";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { heartbeatKey, poolKey, slotsKey } from "../../../../core/kernel/object/hub-keys.ts";
import { objectKey, ticketPartition } from "../../../../core/kernel/object/keys.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import type { Operation } from "../../../../core/kernel/saga/operation.ts";
import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import type { Write } from "../../../../core/kernel/store/store.ts";
import { claimHost, withdrawHost } from "../../../../core/placement/pool/entries.ts";
import { hostQueue } from "../../../../core/placement/queues/tickets.ts";
import { counting } from "../../../support/counting-store.ts";
import { testDeps } from "../../../support/deps.ts";
import { interrupted, putting } from "../../../support/interrupted-store.ts";
import {
  addHosts,
  addHub,
  addOrder,
  freeEntry,
  giveAllBack,
  heldBy,
  hostsNamed,
  placementOf,
  reserveFor,
  slotsOf,
  statesIn,
} from "../../../support/placement.ts";

it("takes a slot and every host on one hub, in one write, and says why there", async () => {
  const deps = testDeps();
  await addHub(deps, "full", { capacity: 1 });
  await deps.store.transact([{ put: { ...slotsKey("full"), used: 1 } }]);
  await addHub(deps, "poor");
  await addHub(deps, "rich");
  await deps.store.transact([{ put: { ...slotsKey("rich"), used: 3 } }]);
  await addHosts(deps, "poor", "small", hostsNamed("p", 2));
  await addHosts(deps, "rich", "small", hostsNamed("s", 3));
  await addHosts(deps, "rich", "gpu", hostsNamed("g", 1));
  const order = await addOrder(deps, "one", { small: 2, gpu: 1 });
  const rejected = [
    { hub: "full", reason: "carries 1 of 1 control planes" },
    { hub: "poor", reason: "0 of 1 gpu hosts free" },
  ];
  expect(await reserveFor(deps, order)).toEqual({
    placed: true,
    reason: "next of 2 suitable hubs: 3 of 20 control planes in use",
    rejected,
  });
  const placement = await placementOf(deps, order);
  expect(placement).toMatchObject({ hub: "rich", rejected });
  expect(placement?.hosts.small).toHaveLength(2);
  expect(placement?.hosts.gpu).toEqual(["g-00000"]);
  expect(await slotsOf(deps.store, "rich")).toBe(4);
  expect(await statesIn(deps.store, "rich", "small")).toEqual({ free: 1, held: 2 });
  expect(await statesIn(deps.store, "poor", "small")).toEqual({ free: 2 });
});

it("stays on the hub that its network is on, and waits for that one alone", async () => {
  const deps = testDeps();
  for (const hub of ["its", "other"]) await addHub(deps, hub);
  await addHosts(deps, "other", "small", hostsNamed("o", 2));
  const order = await addOrder(deps, "one", { small: 1 });
  const network = { where: { hub: "its" } };
  expect(await reserveFor(deps, order, network)).toMatchObject({ placed: false });
  await addHosts(deps, "its", "small", hostsNamed("i", 1));
  expect(await reserveFor(deps, order, network)).toMatchObject({ placed: true });
  expect(await placementOf(deps, order)).toMatchObject({ hub: "its" });
  expect(await statesIn(deps.store, "other", "small")).toEqual({ free: 2 });
});

it("again takes nothing more", async () => {
  const deps = testDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", hostsNamed("s", 4));
  const order = await addOrder(deps, "one", { small: 2 });
  const answers = await Promise.all([1, 2, 3].map(() => reserveFor(deps, order)));
  expect(answers.every(({ placed }) => placed)).toBe(true);
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ free: 2, held: 2 });
  expect(await slotsOf(deps.store, "hub")).toBe(1);
});

it("writes tickets only where they change", async () => {
  const deps = testDeps();
  await addHub(deps, "hub");
  const { counted: store, calls } = counting(deps.store);
  const waits = await addOrder(deps, "one", { small: 1 });
  expect(await reserveFor({ ...deps, store }, waits)).toMatchObject({ placed: false });
  // The fence, and tickets for hosts and for any hub.
  expect(calls.written).toBe(3);
  expect(await reserveFor({ ...deps, store }, waits)).toMatchObject({ placed: false });
  expect(calls).toMatchObject({ transact: 1, written: 3 });
  await addHosts(deps, "hub", "small", hostsNamed("s", 2));
  const goesOn = await reserveFor({ ...deps, store }, waits);
  expect([goesOn.placed, calls.written]).toEqual([true, 3 + 6 + 2]);
  const atOnce = await addOrder(deps, "two", { small: 1 });
  const placed = await reserveFor({ ...deps, store }, atOnce);
  expect([placed.placed, calls.written]).toEqual([true, 3 + 6 + 2 + 6]);
});

it("is at the site of its hub, though the hub gets another site while the order is placed", async () => {
  const deps = testDeps();
  await addHub(deps, "hub", { site: "former" });
  await addHosts(deps, "hub", "small", hostsNamed("s", 1));
  const order = await addOrder(deps, "one", { small: 1 });
  const store = interrupted(deps.store, () =>
    changeObject(deps, "hub", "hub", (hub) => ({
      ...hub,
      generation: hub.generation + 1,
      spec: { ...hub.spec, site: "latter" },
    })),
  );
  expect(await reserveFor({ ...deps, store }, order)).toMatchObject({ placed: true });
  expect((await mustLoad(deps, "cluster", order.cluster)).site?.id).toBe("latter");
});

describe("a demand without a control-plane slot", () => {
  const slotless = { slot: false };

  it("is served by a full hub, takes hosts alone and gives back no slot", async () => {
    const deps = testDeps();
    await addHub(deps, "full", { capacity: 1 });
    await addHosts(deps, "full", "small", hostsNamed("s", 3));
    const cluster = await addOrder(deps, "one", { small: 1 });
    expect(await reserveFor(deps, cluster)).toMatchObject({ placed: true });
    const order = await addOrder(deps, "two", { small: 2 });
    expect(await reserveFor(deps, order, slotless)).toMatchObject({
      placed: true,
      reason: "least loaded of 1 suitable hubs",
    });
    expect(await heldBy(deps, order)).toHaveLength(2);
    expect(await slotsOf(deps.store, "full")).toBe(1);
    await giveAllBack(deps, order);
    expect(await placementOf(deps, order)).toBeUndefined();
    expect(await slotsOf(deps.store, "full")).toBe(1);
    expect(await statesIn(deps.store, "full", "small")).toEqual({ free: 2, held: 1 });
  });

  it("does not wait behind those who wait for a slot, and waits for hosts like all", async () => {
    const deps = testDeps();
    await addHub(deps, "full", { capacity: 0 });
    await addHosts(deps, "full", "small", hostsNamed("s", 1));
    const first = await addOrder(deps, "one", { gpu: 1 });
    expect(await reserveFor(deps, first)).toMatchObject({ placed: false });
    const order = await addOrder(deps, "two", { small: 2 });
    expect(await reserveFor(deps, order, slotless)).toMatchObject({
      placed: false,
      waitingFor: expect.stringMatching(/^2 hosts of type small/),
    });
    await addHosts(deps, "full", "small", hostsNamed("t", 1));
    expect(await reserveFor(deps, order, slotless)).toMatchObject({ placed: true });
    expect(await slotsOf(deps.store, "full")).toBe(0);
  });

  it("chooses again when its hub was changed in between", async () => {
    const deps = testDeps();
    await addHub(deps, "hub");
    await addHosts(deps, "hub", "small", hostsNamed("s", 1));
    const order = await addOrder(deps, "one", { small: 1 });
    const store = interrupted(deps.store, () =>
      changeObject(deps, "hub", "hub", (hub) => ({
        ...hub,
        generation: hub.generation + 1,
        spec: { ...hub.spec, cordoned: true },
      })),
    );
    expect(await reserveFor({ ...deps, store }, order, slotless)).toMatchObject({ placed: false });
  });
});

describe("what cannot be served holds nothing and says what it waits for", () => {
  it("no hub at all", async () => {
    const deps = testDeps();
    const order = await addOrder(deps, "one", { small: 2 });
    expect(await reserveFor(deps, order)).toMatchObject({
      waitingFor: "a hub (no hub is registered)",
    });
  });

  it("no hub that it may use", async () => {
    const deps = testDeps();
    await addHub(deps, "hub");
    const order = await addOrder(deps, "one", { small: 2 }, { region: "mars" });
    expect(await reserveFor(deps, order)).toMatchObject({
      waitingFor: "a hub (one hub: is in region eu)",
    });
  });

  it("a slot", async () => {
    const deps = testDeps();
    await addHub(deps, "hub", { capacity: 0 });
    await addHosts(deps, "hub", "small", hostsNamed("s", 2));
    const order = await addOrder(deps, "one", { small: 2 });
    expect(await reserveFor(deps, order)).toMatchObject({
      waitingFor:
        "a control-plane slot (position 1 in the queue; one hub: carries 0 of 0 control planes)",
    });
  });

  it("hosts of some types", async () => {
    const deps = testDeps();
    await addHub(deps, "hub");
    await addHosts(deps, "hub", "small", hostsNamed("s", 2));
    await addHosts(deps, "hub", "gpu", ["g-1"]);
    await reserveFor(deps, await addOrder(deps, "first", { small: 1, gpu: 1 }));
    const order = await addOrder(deps, "one", { small: 2, gpu: 1 });
    expect(await reserveFor(deps, order)).toMatchObject({
      placed: false,
      waitingFor:
        "2 hosts of type small and 1 host of type gpu (position 1 in the queue; one hub: 1 of 2 small hosts free, 0 of 1 gpu hosts free)",
      position: 1,
    });
    expect(await placementOf(deps, order)).toBeUndefined();
    expect(await statesIn(deps.store, "hub", "small")).toEqual({ free: 1, held: 1 });
    expect(await slotsOf(deps.store, "hub")).toBe(1);
  });
});

it("does nothing for an operation that has turned back", async () => {
  const deps = testDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", hostsNamed("s", 2));
  for (const [name, size] of [
    ["served", 2],
    ["waits", 3],
  ] as const) {
    const order = await addOrder(deps, name, { small: size });
    await changeObject(deps, "operation", order.operation, (operation) => ({
      ...operation,
      unwinding: true,
    }));
    await expect(reserveFor(deps, order)).rejects.toMatchObject({ kind: "Cancelled" });
  }
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ free: 2 });
  expect((await deps.store.query({ pk: "ticket#host:small" })).items).toEqual([]);
});

it("passes over hosts that an index offers though they are held, or in maintenance, or gone", async () => {
  const deps = testDeps({ store: openSqliteStore(":memory:", { indexLag: 1000 }) });
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", hostsNamed("s", 12));
  deps.store.catchUp();
  const place = { hub: "hub", hostType: "small" };
  const [held = "", gone = "", ...rest] = hostsNamed("s", 12);
  await deps.store.transact([
    claimHost(place, held, { kind: "cluster", id: "other", tenant: "acme" }),
  ]);
  await deps.store.transact([{ delete: poolKey("hub", "small", gone) }]);
  for (const host of rest.slice(0, 8))
    await deps.store.transact(withdrawHost(place, host, freeEntry));
  const order = await addOrder(deps, "one", { small: 2 });
  expect(await reserveFor(deps, order)).toMatchObject({ placed: true });
  expect((await heldBy(deps, order)).sort()).toEqual(rest.slice(8));
});

describe("a host that changes between choice and claim is not accepted", () => {
  const place = { hub: "hub", hostType: "small" };
  const other = { kind: "cluster", id: "other", tenant: "acme" } as const;
  const changes: [string, Write[], object][] = [
    ["out of service", withdrawHost(place, "s-00000", freeEntry), { state: "out" }],
    ["taken by another", [claimHost(place, "s-00000", other)], { state: "held", owner: "other" }],
    ["removed", [{ delete: poolKey("hub", "small", "s-00000") }], {}],
  ];

  it.each(changes)("%s", async (_, change, entry) => {
    const deps = testDeps();
    await addHub(deps, "hub");
    await addHosts(deps, "hub", "small", hostsNamed("s", 2));
    const order = await addOrder(deps, "one", { small: 2 });
    const store = interrupted(deps.store, () => deps.store.transact(change));
    expect(await reserveFor({ ...deps, store }, order)).toMatchObject({ placed: false });
    expect(await placementOf(deps, order)).toBeUndefined();
    expect((await deps.store.get(poolKey("hub", "small", "s-00000"))) ?? {}).toMatchObject(entry);
    expect(await statesIn(deps.store, "hub", "small")).toMatchObject({ free: 1 });
    expect(await slotsOf(deps.store, "hub")).toBe(0);
  });
});

it("the last slot of a hub goes to one order, whoever chose the hub at the same time", async () => {
  const deps = testDeps();
  await addHub(deps, "hub", { capacity: 2 });
  await addHosts(deps, "hub", "small", hostsNamed("s", 4));
  await reserveFor(deps, await addOrder(deps, "first", { small: 1 }));
  const [slower, faster] = [
    await addOrder(deps, "slower", { small: 1 }),
    await addOrder(deps, "faster", { small: 1 }),
  ];
  const store = interrupted(deps.store, () => reserveFor(deps, faster));
  expect(await reserveFor({ ...deps, store }, slower)).toMatchObject({ placed: false });
  expect(await placementOf(deps, faster)).toBeDefined();
  expect(await heldBy(deps, slower)).toEqual([]);
  expect(await slotsOf(deps.store, "hub")).toBe(2);
});

describe("a reservation whose operation is stopped between choice and claim takes nothing", () => {
  const stops: [string, Partial<Operation>][] = [
    ["cancelled", { cancel: { at: "", by: "alice", preempted: false } }],
    ["deleted", { cancel: { at: "", by: "alice", preempted: true } }],
    ["turned back", { unwinding: true }],
  ];

  it.each(
    stops.flatMap(([what, stop]) =>
      [
        ["hosts and a slot", 2],
        ["a place in line", 3],
      ].map(([claimed, size]) => [what, String(claimed), Number(size), stop] as const),
    ),
  )("%s, before it claims %s", async (_, __, size, stop) => {
    const deps = testDeps();
    await addHub(deps, "hub");
    await addHosts(deps, "hub", "small", hostsNamed("s", 2));
    const order = await addOrder(deps, "one", { small: size });
    const store = interrupted(deps.store, () =>
      changeObject(deps, "operation", order.operation, (operation) => ({ ...operation, ...stop })),
    );
    const reserving = reserveFor({ ...deps, store }, order);
    await expect(reserving).rejects.toMatchObject({ kind: "Cancelled" });
    expect(await placementOf(deps, order)).toBeUndefined();
    expect(await statesIn(deps.store, "hub", "small")).toEqual({ free: 2 });
    expect(await slotsOf(deps.store, "hub")).toBe(0);
    for (const queueName of ["hub", "slot", "host:small"])
      expect((await deps.store.query({ pk: `ticket#${queueName}` })).items).toEqual([]);
  });
});

describe("a hub that changes between choice and claim is not accepted", () => {
  it("removed", async () => {
    const deps = testDeps();
    await addHub(deps, "hub");
    await addHosts(deps, "hub", "small", hostsNamed("s", 2));
    const order = await addOrder(deps, "one", { small: 2 });
    const store = interrupted(deps.store, () =>
      deps.store.transact([{ delete: objectKey("hub", "hub") }]),
    );
    expect(await reserveFor({ ...deps, store }, order)).toMatchObject({ placed: false });
    expect(await slotsOf(deps.store, "hub")).toBe(0);
  });

  it("cordoned", async () => {
    const deps = testDeps();
    await addHub(deps, "hub");
    await addHosts(deps, "hub", "small", hostsNamed("s", 2));
    const order = await addOrder(deps, "one", { small: 2 });
    const store = interrupted(deps.store, () =>
      changeObject(deps, "hub", "hub", (hub) => ({
        ...hub,
        generation: hub.generation + 1,
        spec: { ...hub.spec, cordoned: true },
      })),
    );
    expect(await reserveFor({ ...deps, store }, order)).toMatchObject({
      placed: false,
      waitingFor: "a hub (position 1 in the queue; one hub: is cordoned)",
    });
  });
});

it("a hub that has not reported for long gets no order until it does", async () => {
  const deps = testDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", hostsNamed("s", 2));
  const order = await addOrder(deps, "one", { small: 2 });
  await deps.clock.advance(11 * 60_000);
  expect(await reserveFor(deps, order)).toMatchObject({ placed: false });
  const at = new Date(deps.clock.now()).toISOString();
  await deps.store.transact([{ put: { ...heartbeatKey("hub"), at } }]);
  expect(await reserveFor(deps, order)).toMatchObject({ placed: true });
});

it("finds what was given back between its plan and its ticket, for which nobody wakes it", async () => {
  const deps = testDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", hostsNamed("s", 2));
  const first = await addOrder(deps, "first", { small: 2 });
  expect((await reserveFor(deps, first)).placed).toBe(true);
  const second = await addOrder(deps, "second", { small: 2 });
  const store = interrupted(
    deps.store,
    () => giveAllBack(deps, first),
    putting(ticketPartition(hostQueue("small"))),
  );
  expect(await reserveFor({ ...deps, store }, second)).toMatchObject({ placed: true });
});
