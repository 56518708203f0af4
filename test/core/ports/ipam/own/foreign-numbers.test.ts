import { expect, it } from "vitest";
import { minutes } from "../../../../../core/clock.ts";
import { numberKey } from "../../../../../core/kernel/object/number-keys.ts";
import { putNew } from "../../../../../core/kernel/object/records.ts";
import { absent } from "../../../../../core/kernel/store/store.ts";
import type { NumberPool } from "../../../../../core/ports/ipam/ipam.ts";
import { holdForeign, releaseForeign } from "../../../../../core/ports/ipam/own/foreign-numbers.ts";
import {
  claimNumbers,
  releaseNumbers,
  usageOf,
} from "../../../../../core/ports/ipam/own/numbers.ts";
import { clusterRecord } from "../../../../support/cluster-record.ts";
import { type TestDeps, testDeps } from "../../../../support/deps.ts";
import { holderOf } from "../../../../support/holders.ts";

const pool: NumberPool = { name: "vlans#site-1", first: 100, size: 300, rest: minutes(10) };

/** Orders, by their clusters' names, that claim a number each and give it back. */
const orders = (deps: TestDeps) => ({
  async claim(cluster: string): Promise<number | undefined> {
    await deps.store.transact([...putNew(deps.kinds, clusterRecord(deps.clock.now(), cluster))]);
    const wanted = { count: 1, fence: [] };
    const claimed = await claimNumbers(deps, pool, holderOf("cluster", cluster), wanted);
    return "claimed" in claimed ? claimed.claimed[0] : undefined;
  },
  release: (cluster: string) => releaseNumbers(deps, pool, holderOf("cluster", cluster)),
});

const ownerOf = async ({ store }: TestDeps, number: number) =>
  (await store.get(numberKey(pool.name, number)))?.owner;

it("a number that was never given out is held, and those before it stay free", async () => {
  const deps = testDeps();
  const { claim } = orders(deps);
  await holdForeign(deps, pool, 102, "lost");
  await holdForeign(deps, pool, 102, "lost");
  expect(await ownerOf(deps, 102)).toBe("lost");
  expect(await usageOf(deps, pool)).toEqual({ used: 1, resting: 2, size: 300 });
  const claimed = [await claim("one"), await claim("two"), await claim("three")];
  expect(claimed).not.toContain(102);
  expect(new Set(claimed).size).toBe(3);
});

it("one that is far on in its pool is held without losing any on the way", async () => {
  const deps = testDeps();
  await holdForeign(deps, pool, 399, "lost");
  expect(await usageOf(deps, pool)).toEqual({ used: 1, resting: 299, size: 300 });
  await deps.clock.advance(1);
  const { claim } = orders(deps);
  expect(await claim("one")).toBe(100);
});

it("one that rests is held, and rests again when what had it is gone", async () => {
  const deps = testDeps();
  const { claim, release } = orders(deps);
  const number = (await claim("one")) ?? 0;
  await release("one");
  await holdForeign(deps, pool, number, "lost");
  expect(await usageOf(deps, pool)).toMatchObject({ used: 1, resting: 0 });
  await releaseForeign(deps, pool, new Set([number]));
  expect(await ownerOf(deps, number)).toBe("lost");
  await releaseForeign(deps, pool, new Set());
  expect(await ownerOf(deps, number)).toBeUndefined();
  expect(await usageOf(deps, pool)).toMatchObject({ used: 0, resting: 1 });
});

it("one is not released by what was seen before others have looked", async () => {
  const deps = testDeps();
  await holdForeign(deps, pool, 102, "lost");
  const key = { pk: "looked", sk: "-" };
  const fence = [{ check: key, if: absent }];
  await deps.store.transact([{ put: key }]);
  await releaseForeign(deps, pool, new Set(), fence);
  expect(await ownerOf(deps, 102)).toBe("lost");
});

it("one that an order holds stays the order's", async () => {
  const deps = testDeps();
  const { claim } = orders(deps);
  const number = (await claim("one")) ?? 0;
  await holdForeign(deps, pool, number, "lost");
  await releaseForeign(deps, pool, new Set());
  expect(await ownerOf(deps, number)).toBe("one");
  expect(await usageOf(deps, pool)).toMatchObject({ used: 1, resting: 0 });
});

it("what is of no pool is nobody's", async () => {
  const deps = testDeps();
  for (const number of [99, 400]) await holdForeign(deps, pool, number, "lost");
  expect(await usageOf(deps, pool)).toMatchObject({ used: 0 });
});

it("orders that claim meanwhile get others", async () => {
  const deps = testDeps();
  const { claim } = orders(deps);
  const [, , ...claimed] = await Promise.all([
    holdForeign(deps, pool, 103, "lost"),
    holdForeign(deps, pool, 100, "found"),
    ...Array.from({ length: 10 }, (_, n) => claim(`cluster-${n}`)),
  ]);
  expect(new Set(claimed).size).toBe(10);
  const owners = await Promise.all(claimed.map((number) => ownerOf(deps, number ?? 0)));
  expect(owners.filter((owner) => owner === "lost" || owner === "found")).toEqual([]);
  expect((await usageOf(deps, pool)).used).toBeGreaterThanOrEqual(10);
});

it("a held number that an order owns by now stays that order's when the thing outside is gone", async () => {
  const deps = testDeps();
  await holdForeign(deps, pool, 100, "lost");
  await deps.store.transact([{ put: { ...numberKey(pool.name, 100), owner: "one" } }]);
  await releaseForeign(deps, pool, new Set());
  expect(await ownerOf(deps, 100)).toBe("one");
  expect(await usageOf(deps, pool)).toEqual({ used: 1, resting: 0, size: 300 });
});
