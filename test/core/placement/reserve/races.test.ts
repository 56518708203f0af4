import * as fc from "fast-check";
import { expect, it } from "vitest";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import { claimNumbers, releaseNumbers, usageOf } from "../../../../core/ports/ipam/own/numbers.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";
import { testDeps } from "../../../support/deps.ts";
import { heldIn, holderOf } from "../../../support/holders.ts";
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
  slotsOf,
} from "../../../support/placement.ts";
import { recordsIn } from "../../../support/records.ts";
import { scheduled } from "../../../support/scheduled-store.ts";
import { tries } from "../../../support/seed.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

/** Claims that meet in any order of their reads and writes: exactly what there is is given out, each once. */

it("numbers: claims and releases in any order give each number to one, and lose none", async () => {
  const wishes = fc.array(fc.record({ count: fc.constantFrom(1, 2), again: fc.boolean() }), {
    minLength: 2,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), wishes, async (scheduler, all) => {
      const store = openSqliteStore(":memory:");
      const clock = new VirtualClock();
      const pool = { name: "vlans", first: 100, size: 4, rest: 0 };
      const deps = { store: scheduled(store, scheduler), kinds, clock };
      const working = all.map(async ({ count, again }, n) => {
        const cluster = `cluster-${n}`;
        await store.transact(putNew(kinds, clusterRecord(clock.now(), cluster)));
        const holder = holderOf("cluster", cluster);
        const first = await claimNumbers(deps, pool, holder, { count, fence: [] });
        if (!again) return first;
        await releaseNumbers(deps, pool, holder);
        return claimNumbers(deps, pool, holder, { count, fence: [] });
      });
      const answers = await scheduler.waitFor(Promise.all(working));

      const clusters = await Promise.all(
        all.map((_, n) => mustLoad(recordsIn(store), "cluster", `cluster-${n}`)),
      );
      const taken = clusters.flatMap(heldIn);
      expect(new Set(taken).size).toBe(taken.length);
      expect(answers.map((answer) => ("claimed" in answer ? answer.claimed : []))).toEqual(
        clusters.map(heldIn),
      );
      const { used, resting } = await usageOf({ store }, pool);
      expect(used).toBe(taken.length);
      expect(used + resting).toBeLessThanOrEqual(pool.size);
      // Who got nothing is told the truth: asked again when all is quiet, the rest is there for it.
      const free = pool.size - used;
      for (const [n, { count }] of all.entries()) {
        if (heldIn(clusters[n] as Cluster).length > 0) continue;
        const holder = holderOf("cluster", `cluster-${n}`);
        const later = await claimNumbers({ store, kinds, clock }, pool, holder, {
          count,
          fence: [],
        });
        expect("claimed" in later).toBe(count <= free);
        break;
      }
      store.close();
    }),
    tries(100),
  );
});

it("hosts: reservations and releases in any order hold all that they want or nothing, each host once", async () => {
  const wishes = fc.array(
    fc.record({ size: fc.integer({ min: 1, max: 3 }), givesBack: fc.boolean() }),
    { minLength: 2, maxLength: 4 },
  );
  const capacities = fc.integer({ min: 1, max: 4 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), wishes, capacities, async (scheduler, all, capacity) => {
      const deps = testDeps();
      await addHub(deps, "hub", { capacity });
      await addHosts(deps, "hub", "small", hostsNamed("s", 4));
      const orders: Order[] = [];
      for (const [n, { size }] of all.entries()) {
        orders.push(await addOrder(deps, `order-${n}`, { small: size }));
        await deps.clock.advance(1);
      }
      const racing = { ...deps, store: scheduled(deps.store, scheduler) };
      const working = orders.map(async (order, n) => {
        const { placed } = await reserveFor(racing, order);
        if (placed && all[n]?.givesBack) await giveAllBack(racing, order);
      });
      await scheduler.waitFor(Promise.all(working));

      const owners = new Map<string, string>();
      let placed = 0;
      for (const [n, order] of orders.entries()) {
        const hosts = await heldBy(deps, order);
        expect([0, all[n]?.size]).toContain(hosts.length);
        if (await placementOf(deps, order)) placed += 1;
        for (const host of hosts) {
          expect(owners.has(host)).toBe(false);
          owners.set(host, order.cluster);
        }
      }
      for (const { sk, state, owner } of await poolOf(deps.store, "hub", "small"))
        expect(state === "held" ? owner : undefined).toBe(owners.get(sk));
      expect(await slotsOf(deps.store, "hub")).toBe(placed);
      expect(placed).toBeLessThanOrEqual(capacity);
      deps.store.close();
    }),
    tries(60),
  );
});
