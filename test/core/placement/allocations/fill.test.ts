import * as fc from "fast-check";
import { expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import { asHostId } from "../../../../core/id.ts";
import type { Deps } from "../../../../core/kernel/deps.ts";
import {
  allocationHostsKey,
  freeHostsKey,
  freePartition,
  hostsKey,
} from "../../../../core/kernel/object/hub-keys.ts";
import { ticketPartition } from "../../../../core/kernel/object/keys.ts";
import { archive, mustLoad, putChanged, putNew } from "../../../../core/kernel/object/records.ts";
import { closed } from "../../../../core/kernel/object/uses.ts";
import type { RecheckDeps } from "../../../../core/kernel/saga/rechecks.ts";
import { isWritten } from "../../../../core/kernel/store/optimistically.ts";
import { everyItem } from "../../../../core/kernel/store/pages.ts";
import { fillAllocation } from "../../../../core/placement/allocations/fill.ts";
import { openCounters } from "../../../../core/placement/allocations/move-hosts.ts";
import { moveToRack, reservedBy, reserveHost } from "../../../../core/placement/pool/entries.ts";
import { countFree, hostCounts } from "../../../../core/placement/pool/host-counts.ts";
import {
  allocationCounts,
  countReserved,
  reservedCounts,
  reservedOf,
} from "../../../../core/placement/pool/reserved.ts";
import type { Allocation } from "../../../../core/resources/allocation/model.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import {
  addHosts,
  addHub,
  addOrder,
  giveAllBack,
  heldBy,
  hostsNamed,
  type Order,
  placementOf,
  poolOf,
  reserveFor,
} from "../../../support/placement.ts";
import { inTurn, scheduled } from "../../../support/scheduled-store.ts";
import { tries } from "../../../support/seed.ts";

/** Hosts that are kept for a tenant, while others claim and release what they can. */

async function reserveHosts(deps: Deps, tenant: string, reserved: number): Promise<string> {
  const id = `for-${tenant}`;
  const now = timestamp(deps.clock.now());
  const allocation: Allocation = {
    ...{ kind: "allocation", id, generation: 0, revision: 1, status: {} },
    metadata: {
      ...{ name: id, tenant, labels: {}, annotations: {}, creator: "test" },
      creation_timestamp: now,
    },
    spec: { host_type: "small", reserved },
    host_types: ["small"],
    event: { type: "", sequence: 0, time: now, changed: [] },
  };
  await deps.store.transact([...putNew(kinds, allocation), openCounters(id, tenant)]);
  return id;
}

/** As the API does it, which refuses the deletion of one that is in use. */
async function remove(deps: Deps, id: string): Promise<boolean> {
  const allocation = await mustLoad(deps, "allocation", id);
  return isWritten(deps.store, [
    ...archive(kinds, allocation, deps.clock.now()),
    ...closed(kinds, allocation),
  ]);
}

async function site(hosts: number): Promise<TestDeps> {
  const deps = testDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", hostsNamed("s", hosts));
  return deps;
}

/** The hosts that are free, by the allocation that keeps them; what the counters say has to be the same. */
async function freeHosts({ store }: Pick<Deps, "store">): Promise<Record<string, number>> {
  const free: Record<string, number> = {};
  for (const entry of await poolOf(store, "hub", "small"))
    if (entry.state === "free") {
      const by = reservedBy(entry)?.allocation ?? "all";
      free[by] = (free[by] ?? 0) + 1;
    }
  expect(hostCounts(await store.get(freeHostsKey("hub"))).small).toBe(free.all ?? 0);
  const kept = reservedCounts(await store.get(hostsKey("hub")));
  for (const { allocation, count } of kept) expect(count).toBe(free[allocation]);
  const ofAll = Object.entries(free).filter(([by]) => by !== "all");
  expect(reservedOf(kept, "small")).toBe(ofAll.reduce((sum, [, count]) => sum + count, 0));
  return free;
}

it("a tenant takes its kept hosts first, waits behind nobody for them, and gives them back as kept", async () => {
  const deps = await site(5);
  const id = await reserveHosts(deps, "tenant-b", 3);
  await fillAllocation(deps, id);
  expect(await freeHosts(deps)).toEqual({ all: 2, [id]: 3 });

  const large = await addOrder(deps, "large", { small: 3 });
  expect((await reserveFor(deps, large)).placed).toBe(false);
  await deps.clock.advance(1);
  const theirs = await addOrder(deps, "theirs", { small: 3 }, { tenant: "tenant-b" });
  expect((await reserveFor(deps, theirs)).placed).toBe(true);
  expect(Object.values((await placementOf(deps, theirs))?.kept ?? {})).toEqual([id, id, id]);
  expect(allocationCounts(await deps.store.get(allocationHostsKey(id)))).toEqual({
    free: 0,
    used: 3,
  });
  // Beyond what is kept for it, it is as everybody.
  const more = await addOrder(deps, "more", { small: 1 }, { tenant: "tenant-b" });
  const waits = await reserveFor(deps, more);
  expect(waits.placed ? "" : waits.waitingFor).toContain("earlier orders wait there");

  await giveAllBack(deps, theirs);
  expect(await freeHosts(deps)).toEqual({ all: 2, [id]: 3 });
});

it("a tenant gets what is kept for it in one rack while others wait there, and not what is in two", async () => {
  const deps = await site(6);
  const entries = await poolOf(deps.store, "hub", "small");
  const place = { hub: "hub", hostType: "small" };
  for (const [n, entry] of entries.entries())
    await deps.store.transact([moveToRack(place, entry.sk, entry, n < 3 ? "a" : "b")]);
  const id = await reserveHosts(deps, "tenant-b", 3);
  for (const entry of await poolOf(deps.store, "hub", "small"))
    if (entry.rack === "a")
      await deps.store.transact([
        reserveHost(
          place,
          { id: asHostId(entry.sk), rack: "a" },
          { allocation: id, tenant: "tenant-b" },
        ),
        ...countReserved([{ place, reservedFor: { allocation: id, tenant: "tenant-b" }, free: 1 }]),
        ...countFree([[place, -1]]),
      ]);
  await reserveFor(deps, await addOrder(deps, "first", { small: 1 }));
  const large = await addOrder(deps, "large", { small: 3 });
  expect((await reserveFor(deps, large)).placed).toBe(false);
  await deps.clock.advance(1);
  const more = await addOrder(deps, "more", { small: 4 }, { tenant: "tenant-b" });
  const waits = await reserveFor(deps, more, { racks: "same", slot: false });
  expect(waits.placed ? "" : waits.waitingFor).toContain("earlier orders wait there");
  const theirs = await addOrder(deps, "theirs", { small: 2 }, { tenant: "tenant-b" });
  expect((await reserveFor(deps, theirs, { racks: "same", slot: false })).placed).toBe(true);
  expect(Object.values((await placementOf(deps, theirs))?.kept ?? {})).toEqual([id, id]);
  expect(await freeHosts(deps)).toEqual({ all: 2, [id]: 1 });
});

it("what a tenant waits for beside free hosts that are kept for another is said to it", async () => {
  const deps = await site(3);
  await fillAllocation(deps, await reserveHosts(deps, "tenant-b", 2));
  const order = await addOrder(deps, "order", { small: 2 });
  const waits = await reserveFor(deps, order);
  expect(waits.placed ? "" : waits.waitingFor).toContain(
    "no hub has more than 1 host of type small",
  );
});

it.each(["none", "same"])(
  "a host that goes from what is kept for a tenant to what is free for all while it is looked for is claimed once (racks: %s)",
  async (racks) => {
    const deps = await site(3);
    const place = { hub: "hub", hostType: "small" };
    for (const { sk, ...entry } of await poolOf(deps.store, "hub", "small"))
      await deps.store.transact([moveToRack(place, sk, { ...entry, sk }, "a")]);
    const id = await reserveHosts(deps, "tenant-b", 2);
    await fillAllocation(deps, id);
    const kept = { allocation: id, tenant: "tenant-b" };
    const [first] = (await poolOf(deps.store, "hub", "small")).filter((entry) => reservedBy(entry));
    let goes = first && { id: asHostId(first.sk), rack: "a", reservedFor: kept };
    const order = await addOrder(deps, "order", { small: 3 }, { tenant: "tenant-b" });
    const racing = {
      ...deps,
      store: inTurn(deps.store, async (call) => {
        if (!goes || !call.startsWith(`query ${freePartition("hub", "small", 0)}`.slice(0, -1)))
          return;
        const host = goes;
        goes = undefined;
        const counted = [
          ...countReserved([{ place, reservedFor: kept, free: -1 }]),
          ...countFree([[place, 1]]),
        ];
        await deps.store.transact([reserveHost(place, host), ...counted]);
      }),
    };
    const asked = racks === "same" ? ({ racks, slot: false } as const) : undefined;
    expect((await reserveFor(racing, order, asked)).placed).toBe(true);
    expect([goes, (await heldBy(deps, order)).length]).toEqual([undefined, 3]);
    expect(Object.keys((await placementOf(deps, order))?.kept ?? {})).toHaveLength(1);
  },
);

/** What one of those who race does. */
const actors = fc.array(
  fc.oneof(
    fc.record({
      does: fc.constant("orders" as const),
      tenant: fc.constantFrom("tenant-a", "tenant-b"),
      size: fc.integer({ min: 1, max: 3 }),
      givesBack: fc.boolean(),
    }),
    fc.record({ does: fc.constantFrom("fills" as const, "lowers" as const, "removes" as const) }),
  ),
  { minLength: 3, maxLength: 5 },
);

it("whoever claims, gives back, keeps, lowers and removes at once, no kept host is lost, or another tenant's", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), actors, async (scheduler, all) => {
      const deps = await site(4);
      const id = await reserveHosts(deps, "tenant-b", 2);
      const racing = { ...deps, store: scheduled(deps.store, scheduler) };
      const orders = new Map<Order, string>();
      const working: (() => Promise<unknown>)[] = [() => fillAllocation(racing, id)];
      let isRemoved = false;
      for (const [n, actor] of all.entries()) {
        await deps.clock.advance(1);
        if ("size" in actor) {
          const { tenant, size, givesBack } = actor;
          const order = await addOrder(deps, `order-${n}`, { small: size }, { tenant });
          orders.set(order, tenant);
          working.push(async () => {
            const { placed } = await reserveFor(racing, order);
            if (placed && givesBack) await giveAllBack(racing, order);
          });
        } else if (actor.does === "fills") working.push(() => fillAllocation(racing, id));
        else if (actor.does === "lowers") working.push(() => lower(racing, id));
        else
          working.push(async () => {
            if (!(await remove(racing, id).catch(() => false))) return;
            isRemoved = true;
            await fillAllocation(racing, id);
          });
      }
      await scheduler.waitFor(Promise.all(working.map((work) => work())));
      // As the relay does behind whoever changed the counters last.
      await fillAllocation(deps, id);

      const free = await freeHosts(deps);
      let [held, used] = [0, 0];
      for (const [order, tenant] of orders) {
        held += (await heldBy(deps, order)).length;
        const kept = Object.keys((await placementOf(deps, order))?.kept ?? {});
        if (tenant !== "tenant-b") expect(kept).toEqual([]);
        expect(await heldBy(deps, order)).toEqual(expect.arrayContaining(kept));
        used += kept.length;
      }
      expect(held + (free.all ?? 0) + (free[id] ?? 0)).toBe(4);
      const counters = await deps.store.get(allocationHostsKey(id));
      if (isRemoved) expect([counters, used, free[id]]).toEqual([undefined, 0, undefined]);
      else {
        const { reserved } = (await mustLoad(deps, "allocation", id)).spec;
        const has = allocationCounts(counters);
        expect(has).toEqual({ free: free[id] ?? 0, used });
        expect(has.free + used).toBeLessThanOrEqual(Math.max(reserved, used));
        // It lacks nothing while hosts are free that nobody waits for.
        const queue = await everyItem(deps.store, { pk: ticketPartition("host:small") });
        if (queue.length === 0 || queue[0]?.sk.includes(id))
          expect(has.free + used >= reserved || (free.all ?? 0) === 0).toBe(true);
      }
      deps.store.close();
    }),
    tries(80),
  );
});

async function lower(deps: RecheckDeps, id: string): Promise<void> {
  const allocation = await mustLoad(deps, "allocation", id).catch(() => undefined);
  if (!allocation) return;
  const spec = { ...allocation.spec, reserved: 1 };
  if (await isWritten(deps.store, putChanged(kinds, allocation, { ...allocation, spec })))
    await fillAllocation(deps, id);
}
