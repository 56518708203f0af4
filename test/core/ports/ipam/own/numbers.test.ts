import { expect, it } from "vitest";
import { asClusterId } from "../../../../../core/id.ts";
import { mustLoad, putNew } from "../../../../../core/kernel/object/records.ts";
import { openSqliteStore } from "../../../../../core/kernel/store/sqlite/sqlite.ts";
import type { Store } from "../../../../../core/kernel/store/store.ts";
import {
  claimNumbers,
  type NumberPool,
  releaseNumbers,
  usageOf,
} from "../../../../../core/ports/ipam/own/numbers.ts";
import type { Cluster } from "../../../../../core/resources/cluster/model.ts";
import { clusterRecord } from "../../../../support/toy.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";

const pool: NumberPool = { name: "vlan#site", first: 100, size: 20, rest: 60_000 };

/** These tests keep the numbers in an annotation: the pool does not care where. */
const held = ({ metadata }: Cluster): number[] =>
  metadata.annotations.vlan?.split(",").map(Number) ?? [];
const withNumbers = (cluster: Cluster, numbers: number[]): Cluster => {
  const annotations: Record<string, string> =
    numbers.length === 0 ? {} : { vlan: numbers.join(",") };
  return { ...cluster, metadata: { ...cluster.metadata, annotations } };
};

async function setUp(clusters: number, store: Store = openSqliteStore(":memory:")) {
  const clock = new VirtualClock();
  const deps = { store, clock };
  const ids = Array.from({ length: clusters }, (_, n) => asClusterId(`cluster-${n}`));
  for (const id of ids) await store.transact(putNew(clusterRecord(clock.now(), id)));
  const numbers = async () => {
    const all = await Promise.all(
      ids.map(async (id) => held(await mustLoad(store, "cluster", id))),
    );
    return all.flat().sort();
  };
  return {
    deps,
    clock,
    ids,
    numbers,
    claim: (cluster: string, from = pool, count = 1) =>
      claimNumbers(deps, from, { cluster, count, fence: [], held, hold: withNumbers }),
    release: (cluster: string) =>
      releaseNumbers(deps, pool, { cluster, held, letGo: (record) => withNumbers(record, []) }),
  };
}

it("50 orders at once for 20 numbers: exactly 20 get one, each another", async () => {
  const { ids, claim, numbers } = await setUp(50);
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
  const { claim, deps } = await setUp(1);
  expect(await claim("cluster-0")).toEqual({ claimed: [100] });
  expect(await claim("cluster-0")).toEqual({ claimed: [100] });
  expect(await usageOf(deps, pool)).toEqual({ used: 1, resting: 0, size: 20 });
});

it("a number that is given back rests before others may take it", async () => {
  const { ids, claim, release, clock, deps } = await setUp(22);
  await Promise.all(ids.slice(0, 20).map((id) => claim(id)));
  expect(await release("cluster-3")).toHaveLength(1);
  expect(await release("cluster-3")).toEqual([]);
  expect(await claim("cluster-20")).toEqual({
    short: { used: 19, resting: 1, size: 20 },
    next: clock.now() + pool.rest,
  });
  await clock.advance(pool.rest);
  expect(await claim("cluster-20")).toHaveProperty("claimed");
  expect(await claim("cluster-21")).toHaveProperty("short");
  expect(await usageOf(deps, pool)).toEqual({ used: 20, resting: 0, size: 20 });
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

it("claims and releases in any order never give one number to two", async () => {
  const { ids, claim, release, clock, deps, numbers } = await setUp(30);
  for (let round = 0; round < 12; round++) {
    await Promise.all(ids.map((id, n) => ((n + round) % 3 === 0 ? release(id) : claim(id))));
    await clock.advance(round % 2 === 0 ? pool.rest : 1000);
    const taken = await numbers();
    expect(new Set(taken).size).toBe(taken.length);
    const usage = await usageOf(deps, pool);
    expect(usage.used).toBe(taken.length);
    expect(usage.used + usage.resting).toBeLessThanOrEqual(pool.size);
  }
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
