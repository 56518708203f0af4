import { expect, it } from "vitest";
import { asClusterId } from "../../../../../core/id.ts";
import { numberKey } from "../../../../../core/kernel/object/number-keys.ts";
import { mustLoad, putNew } from "../../../../../core/kernel/object/records.ts";
import { openSqliteStore } from "../../../../../core/kernel/store/sqlite/sqlite.ts";
import type { Store } from "../../../../../core/kernel/store/store.ts";
import type { NumberPool } from "../../../../../core/ports/ipam/ipam.ts";
import {
  claimNumbers,
  releaseNumbers,
  usageOf,
} from "../../../../../core/ports/ipam/own/numbers.ts";
import { kinds } from "../../../../../core/resources/generated/kinds.ts";
import { clusterRecord } from "../../../../support/cluster-record.ts";
import { heldIn, holderOf } from "../../../../support/holders.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";

/** What is Slipway's own table's; the contract has what every allocator does. */

const pool: NumberPool = { name: "vlan#site", first: 100, size: 20, rest: 60_000 };

async function setUp(clusters: number, store: Store = openSqliteStore(":memory:")) {
  const clock = new VirtualClock();
  const deps = { store, kinds, clock };
  const ids = Array.from({ length: clusters }, (_, n) => asClusterId(`cluster-${n}`));
  for (const id of ids) await store.transact(putNew(kinds, clusterRecord(clock.now(), id)));
  return {
    deps,
    clock,
    ids,
    claim: (cluster: string, from = pool, count = 1) =>
      claimNumbers(deps, from, holderOf("cluster", cluster), { count, fence: [] }),
    release: (cluster: string) => releaseNumbers(deps, pool, holderOf("cluster", cluster)),
  };
}

it("a claim that is repeated answers what it has", async () => {
  const { claim, deps } = await setUp(1);
  expect(await claim("cluster-0")).toEqual({ claimed: [100] });
  expect(await claim("cluster-0")).toEqual({ claimed: [100] });
  expect(await usageOf(deps, pool)).toEqual({ used: 1, resting: 0, size: 20 });
});

it("who needs two gets two or none, some fresh and some rested", async () => {
  const { ids, claim, release, clock } = await setUp(12);
  const few = { ...pool, size: 3 };
  expect(await claim("cluster-0", few, 2)).toEqual({ claimed: [100, 101] });
  expect(await claim("cluster-1", few, 2)).toEqual({
    short: { used: 2, resting: 0, size: 3 },
    next: undefined,
  });
  await release("cluster-0");
  expect(await claim("cluster-1", few, 2)).toMatchObject({ next: clock.now() + pool.rest });
  await clock.advance(pool.rest);
  expect(await claim("cluster-1", few, 2)).toEqual({ claimed: [102, 100] });

  const claims = await Promise.all(
    ids.slice(2).map((id) => claim(id, { ...pool, name: "pairs" }, 2)),
  );
  const pairs = claims.flatMap((answer) => ("claimed" in answer ? answer.claimed : []));
  expect(new Set(pairs).size).toBe(pairs.length);
});

it("a claim costs the same in a pool of a million", async () => {
  let calls = 0;
  const counting = new Proxy(openSqliteStore(":memory:"), {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        calls += 1;
        return member.apply(target, args);
      };
    },
  });
  const { claim } = await setUp(2, counting);
  const costs: number[] = [];
  for (const [n, size] of [20, 1_000_000].entries()) {
    calls = 0;
    await claim(`cluster-${n}`, { ...pool, name: `prefix#${size}`, size });
    costs.push(calls);
  }
  expect(costs[1]).toBe(costs[0]);
});

it("a number that others had and gave back between two reads is not taken twice", async () => {
  const few = { ...pool, size: 2, rest: 0 };
  const { deps, claim } = await setUp(3);
  await claim("cluster-0", few);
  const other = holderOf("cluster", "cluster-1");
  let isFirst = true;
  const late: Store = {
    get: (key) => deps.store.get(key),
    getMany: (keys) => deps.store.getMany(keys),
    transact: (writes) => deps.store.transact(writes),
    count: (query) => deps.store.count(query),
    async query(query) {
      if (isFirst) {
        isFirst = false;
        await claimNumbers(deps, few, other, { count: 1, fence: [] });
        await releaseNumbers(deps, few, other);
      }
      return deps.store.query(query);
    },
  };
  const holder = holderOf("cluster", "cluster-2");
  expect(
    await claimNumbers({ ...deps, store: late }, few, holder, { count: 2, fence: [] }),
  ).toMatchObject({ short: { used: 1, resting: 1, size: 2 } });
});

it("a number that another owns by now is not taken from that one", async () => {
  const { deps, claim, release } = await setUp(2);
  await claim("cluster-0", pool, 2);
  const key = numberKey(pool.name, 101);
  await deps.store.transact([{ put: { ...key, owner: "cluster-1" } }]);
  await expect(release("cluster-0")).rejects.toMatchObject({ kind: "Unavailable" });
  expect(await deps.store.get(key)).toMatchObject({ owner: "cluster-1" });
  expect(await deps.store.get(numberKey(pool.name, 100))).toMatchObject({ owner: "cluster-0" });
  expect(await usageOf(deps, pool)).toEqual({ used: 2, resting: 0, size: 20 });
});

it("a number without an owner is not put to rest once more", async () => {
  const { deps, claim, release } = await setUp(1);
  await claim("cluster-0");
  await deps.store.transact([{ delete: numberKey(pool.name, 100) }]);
  await expect(release("cluster-0")).rejects.toMatchObject({ kind: "Unavailable" });
  expect(await usageOf(deps, pool)).toEqual({ used: 1, resting: 0, size: 20 });
});

it("a number that has an owner is given to nobody else, though the pool offers it", async () => {
  const { deps, claim } = await setUp(1);
  const key = numberKey(pool.name, 100);
  await deps.store.transact([{ put: { ...key, owner: "cluster-of-old" } }]);
  await expect(claim("cluster-0")).rejects.toMatchObject({ kind: "Unavailable" });
  expect(await deps.store.get(key)).toMatchObject({ owner: "cluster-of-old" });
  expect(heldIn(await mustLoad(deps, "cluster", "cluster-0"))).toEqual([]);
});

it("the first number of a pool that was defined anew since it was read is not claimed", async () => {
  const { deps, claim } = await setUp(2);
  const holder = holderOf("cluster", "cluster-0");
  const asked: boolean[] = [];
  const claimWhile = (current: boolean) =>
    claimNumbers(deps, pool, holder, {
      ...{ count: 1, fence: [] },
      isCurrent: async () => asked.push(current) > 0 && current,
    });
  await expect(claimWhile(false)).rejects.toMatchObject({ kind: "Unavailable" });
  expect(await usageOf(deps, pool)).toEqual({ used: 0, resting: 0, size: 20 });
  expect(await deps.store.get(numberKey(pool.name, 100))).toBeUndefined();
  // Once a number was given out, nobody defines the pool anew.
  await claim("cluster-1");
  expect(await claimWhile(false)).toEqual({ claimed: [101] });
  expect(asked).toEqual([false]);
});
