import { describe, expect, it } from "vitest";
import { minutes } from "../../../../core/clock.ts";
import { objectKey } from "../../../../core/kernel/object/keys.ts";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import { type Check, exists, type Store } from "../../../../core/kernel/store/store.ts";
import type { Ipam, NumberPool } from "../../../../core/ports/ipam/ipam.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";
import { heldIn, holderOf } from "../../../support/holders.ts";
import { hubRecord } from "../../../support/placement.ts";
import { recordsIn } from "../../../support/records.ts";
import type { VirtualClock } from "../../../support/virtual-clock.ts";

/** What an adapter is made of; the store is where holders have their records. */
export interface IpamWorld {
  store: Store;
  clock: VirtualClock;
}

const pool: NumberPool = { name: "vlans#site", first: 100, size: 20, rest: minutes(1) };

/** What everything that gives out numbers must do, wherever it keeps its books. `rounds`: of claims that meet. */
export function ipamContract(
  name: string,
  openWorld: () => IpamWorld,
  adapter: (world: IpamWorld) => Ipam,
  rounds = 12,
): void {
  async function open(clusters: number) {
    const world = openWorld();
    const { store, clock } = world;
    const ids = Array.from({ length: clusters }, (_, n) => `cluster-${n}`);
    for (const id of ids) await store.transact(putNew(kinds, clusterRecord(clock.now(), id)));
    const ipam = adapter(world);
    const holder = (id: string) => holderOf("cluster", id);
    return {
      ...{ world, store, clock, ids, ipam },
      claim: (id: string, count = 1, from = pool) =>
        ipam.claim(from, holder(id), { count, fence: [] }),
      release: (id: string, seen?: number[], fence?: Check[]) =>
        ipam.release(pool, holder(id), { ...(seen && { seen }), ...(fence && { fence }) }),
      heldBy: async (id: string) => heldIn(await mustLoad(recordsIn(store), "cluster", id)),
      async numbers() {
        const all = ids.map(async (id) => heldIn(await mustLoad(recordsIn(store), "cluster", id)));
        return (await Promise.all(all)).flat().sort();
      },
    };
  }

  describe(name, () => {
    it("releases nothing for an operation whose fence does not hold", async () => {
      const { store, claim, release, heldBy } = await open(1);
      await claim("cluster-0");
      const fence: Check[] = [{ check: { pk: "operation#1", sk: "-" }, if: exists }];
      await expect(release("cluster-0", undefined, fence)).rejects.toMatchObject({
        kind: "Cancelled",
      });
      expect(await heldBy("cluster-0")).toHaveLength(1);
      await store.transact([{ put: { pk: "operation#1", sk: "-" } }]);
      expect(await release("cluster-0", undefined, fence)).toHaveLength(1);
    });

    it("50 holders at once for 20 numbers: exactly 20 get one, each another", async () => {
      const { ids, claim, numbers } = await open(50);
      const claims = await Promise.all(ids.map((id) => claim(id)));
      const claimed = claims.flatMap((answer) => ("claimed" in answer ? answer.claimed : []));
      expect(claimed.toSorted()).toEqual(Array.from({ length: 20 }, (_, n) => 100 + n));
      expect(await numbers()).toEqual(claimed.toSorted());
      expect(claims.find((answer) => "short" in answer)).toEqual({
        short: { used: 20, resting: 0, size: 20 },
        next: undefined,
      });
    });

    it("a claim that is repeated answers what it has", async () => {
      const { claim, ipam, heldBy } = await open(1);
      const first = await claim("cluster-0", 2);
      expect(first).toEqual({ claimed: await heldBy("cluster-0") });
      expect(await claim("cluster-0", 2)).toEqual(first);
      expect(await ipam.usage(pool)).toEqual({ used: 2, resting: 0, size: 20 });
    });

    it("a holder that needs two gets two or none", async () => {
      const { claim, heldBy } = await open(2);
      const few = { ...pool, size: 3 };
      expect(await claim("cluster-0", 2, few)).toHaveProperty("claimed");
      expect(await claim("cluster-1", 2, few)).toEqual({
        short: { used: 2, resting: 0, size: 3 },
        next: undefined,
      });
      expect(await heldBy("cluster-1")).toEqual([]);
    });

    it("a number that is given back rests before others may take it", async () => {
      const { ids, claim, release, clock, ipam } = await open(22);
      await Promise.all(ids.slice(0, 20).map((id) => claim(id)));
      expect(await release("cluster-3")).toHaveLength(1);
      expect(await release("cluster-3")).toEqual([]);
      expect(await claim("cluster-20")).toEqual({
        short: { used: 19, resting: 1, size: 20 },
        next: clock.now() + pool.rest,
      });
      expect(await ipam.survey(pool)).toMatchObject({ used: 19, resting: 1 });
      await clock.advance(pool.rest);
      expect(await ipam.survey(pool)).toMatchObject({ used: 19, resting: 0 });
      expect(await claim("cluster-20")).toHaveProperty("claimed");
      expect(await claim("cluster-21")).toHaveProperty("short");
      expect(await ipam.usage(pool)).toEqual({ used: 20, resting: 0, size: 20 });
    });

    it("releases what was seen, and not what a holder has claimed since", async () => {
      const { claim, release, heldBy, ipam, clock } = await open(1);
      await claim("cluster-0");
      const [seen = 0] = await heldBy("cluster-0");
      expect(await release("cluster-0", [seen])).toEqual([seen]);
      await clock.advance(1);
      await claim("cluster-0");
      const others = await heldBy("cluster-0");
      expect(others).not.toEqual([seen]);
      expect(await release("cluster-0", [seen])).toEqual([]);
      expect(await heldBy("cluster-0")).toEqual(others);
      expect(await ipam.usage(pool)).toEqual({ used: 1, resting: 1, size: 20 });
    });

    it("claims and releases in any order never give one number to two", async () => {
      const { ids, claim, release, clock, ipam, numbers } = await open(30);
      for (let round = 0; round < rounds; round++) {
        await Promise.all(ids.map((id, n) => ((n + round) % 3 === 0 ? release(id) : claim(id))));
        await clock.advance(round % 2 === 0 ? pool.rest : 1000);
        const taken = await numbers();
        expect(new Set(taken).size).toBe(taken.length);
        const usage = await ipam.usage(pool);
        expect(usage.used).toBe(taken.length);
        expect(usage.used + usage.resting).toBeLessThanOrEqual(pool.size);
      }
    });

    it("a holder may be of any kind", async () => {
      const { store, ipam, claim } = await open(1);
      await store.transact(putNew(kinds, hubRecord("hub-a")));
      const hub = holderOf("hub", "hub-a");
      const claimed = await ipam.claim(pool, hub, { count: 1, fence: [] });
      expect(claimed).toEqual({
        claimed: heldIn(await mustLoad(recordsIn(store), "hub", "hub-a")),
      });
      expect(await claim("cluster-0")).not.toEqual(claimed);
      expect(await ipam.release(pool, hub)).toHaveLength(1);
      expect(heldIn(await mustLoad(recordsIn(store), "hub", "hub-a"))).toEqual([]);
    });

    it("a claim whose fence does not hold takes nothing; what goes with one is written with it", async () => {
      const { store, ipam, heldBy } = await open(1);
      const holder = holderOf("cluster", "cluster-0");
      const note = { pk: "note", sk: "-" };
      const writes = [{ put: note }];
      const fence = [{ check: objectKey("operation", "gone"), if: exists }];
      const refused = ipam.claim(pool, holder, { count: 1, fence, writes });
      await expect(refused).rejects.toMatchObject({ kind: "Cancelled" });
      expect(await heldBy("cluster-0")).toEqual([]);
      expect((await ipam.usage(pool)).used).toBe(0);
      expect(await store.get(note)).toBeUndefined();
      await ipam.claim(pool, holder, { count: 1, fence: [], writes });
      expect(await store.get(note)).toEqual(note);
    });

    it("a claim or release that a crash cut off is finished by the next, and no number is lost", async () => {
      const { world, store, ipam, heldBy, clock } = await open(1);
      const holder = holderOf("cluster", "cluster-0");
      const crashing = adapter({ ...world, store: failing(store) });
      await expect(crashing.claim(pool, holder, { count: 2, fence: [] })).rejects.toThrow(crash);
      const claimed = await ipam.claim(pool, holder, { count: 2, fence: [] });
      expect(claimed).toEqual({ claimed: await heldBy("cluster-0") });
      expect((await ipam.usage(pool)).used).toBe(2);
      await expect(crashing.release(pool, holder)).rejects.toThrow(crash);
      expect(await ipam.release(pool, holder)).toHaveLength(2);
      expect(await heldBy("cluster-0")).toEqual([]);
      await clock.advance(pool.rest);
      expect(await ipam.survey(pool)).toEqual({ used: 0, resting: 0, size: 20, foreign: 0 });
    });

    it("knows whether a pool was ever used", async () => {
      const { ipam, claim, release } = await open(1);
      expect(await ipam.wasUsed(pool)).toBe(false);
      await claim("cluster-0");
      expect(await ipam.wasUsed(pool)).toBe(true);
      await release("cluster-0");
      expect(await ipam.wasUsed(pool)).toBe(true);
    });

    it("what something outside has is nobody's until it is gone, and then rests", async () => {
      const { ids, ipam, claim, clock } = await open(20);
      const found = new Map([
        [102, "lost"],
        [117, "found"],
      ]);
      await ipam.hold(pool, found);
      await ipam.hold(pool, found);
      expect(await ipam.survey(pool)).toMatchObject({ used: 2, foreign: 2 });
      await clock.advance(1);
      const claims = await Promise.all(ids.map((id) => claim(id)));
      const claimed = claims.flatMap((answer) => ("claimed" in answer ? answer.claimed : []));
      expect(claimed).toHaveLength(18);
      expect(claimed.filter((number) => found.has(number))).toEqual([]);
      await ipam.hold(pool, new Map([[117, "found"]]));
      expect(await ipam.survey(pool)).toMatchObject({ used: 19, foreign: 1, resting: 1 });
      await clock.advance(pool.rest);
      const late = ids.filter((_, n) => "short" in (claims[n] ?? {}));
      expect(await claim(late[0] ?? "")).toEqual({ claimed: [102] });
      expect(await claim(late[1] ?? "")).toHaveProperty("short");
    });

    it("a number that a record holds stays with its owner, whatever is found with it outside", async () => {
      const { ipam, claim, heldBy, release } = await open(1);
      await claim("cluster-0");
      const [number = 0] = await heldBy("cluster-0");
      await ipam.hold(pool, new Map([[number, "lost"]]));
      expect(await ipam.survey(pool)).toMatchObject({ used: 1, foreign: 0 });
      await ipam.hold(pool, new Map());
      expect(await heldBy("cluster-0")).toEqual([number]);
      expect(await release("cluster-0")).toEqual([number]);
    });

    it("a number that is not of the pool is not held", async () => {
      const { ipam } = await open(0);
      await ipam.hold(pool, new Map([99, 120].map((number) => [number, "lost"])));
      expect(await ipam.survey(pool)).toMatchObject({ used: 0, foreign: 0 });
    });
  });
}

const crash = "the process was killed";

/** A store that nothing is written to any more. */
const failing = (store: Store): Store => ({
  get: (key) => store.get(key),
  getMany: (keys) => store.getMany(keys),
  query: (query) => store.query(query),
  count: (query) => store.count(query),
  transact: async () => {
    throw new Error(crash);
  },
});
