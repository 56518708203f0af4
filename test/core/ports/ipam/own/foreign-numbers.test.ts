import { expect, it } from "vitest";
import { minutes } from "../../../../../core/clock.ts";
import { asClusterId } from "../../../../../core/id.ts";
import { numberKey } from "../../../../../core/kernel/object/keys.ts";
import { putNew } from "../../../../../core/kernel/object/records.ts";
import { holdOutside, releaseOutside } from "../../../../../core/ports/ipam/own/foreign-numbers.ts";
import {
  claimNumbers,
  type NumberPool,
  releaseNumbers,
  usageOf,
} from "../../../../../core/ports/ipam/own/numbers.ts";
import type { Cluster } from "../../../../../core/resources/cluster/model.ts";
import { type TestDeps, testDeps } from "../../../../support/deps.ts";
import { clusterRecord } from "../../../../support/toy.ts";

const pool: NumberPool = { name: "vlans#site-1", first: 100, size: 300, rest: minutes(10) };

const held = ({ site }: Cluster): number[] => (site?.vlan === undefined ? [] : [site.vlan]);

/** Orders, by their clusters' names, that claim a number each and give it back. */
function orders(deps: TestDeps) {
  const order = (cluster: string) => ({ cluster: asClusterId(cluster), held });
  return {
    async claim(cluster: string): Promise<number | undefined> {
      await deps.store.transact([...putNew(clusterRecord(deps.clock.now(), cluster))]);
      const claimed = await claimNumbers(deps, pool, {
        ...order(cluster),
        count: 1,
        fence: [],
        hold: (record, [vlan]) => ({
          ...record,
          site: { id: "site-1", parts: {}, ...(vlan !== undefined && { vlan }) },
        }),
      });
      return "claimed" in claimed ? claimed.claimed[0] : undefined;
    },
    release: (cluster: string) =>
      releaseNumbers(deps, pool, {
        ...order(cluster),
        letGo: ({ site: _, ...record }) => record,
      }),
  };
}

const ownerOf = async ({ store }: TestDeps, number: number) =>
  (await store.get(numberKey(pool.name, number)))?.owner;

it("a number that was never given out is held, and those before it stay free", async () => {
  const deps = testDeps();
  const { claim } = orders(deps);
  await holdOutside(deps, pool, 102, "lost");
  await holdOutside(deps, pool, 102, "lost");
  expect(await ownerOf(deps, 102)).toBe("lost");
  expect(await usageOf(deps, pool)).toEqual({ used: 1, resting: 2, size: 300 });
  const claimed = [await claim("one"), await claim("two"), await claim("three")];
  expect(claimed).not.toContain(102);
  expect(new Set(claimed).size).toBe(3);
});

it("one that is far on in its pool is held without losing any on the way", async () => {
  const deps = testDeps();
  await holdOutside(deps, pool, 399, "lost");
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
  await holdOutside(deps, pool, number, "lost");
  expect(await usageOf(deps, pool)).toMatchObject({ used: 1, resting: 0 });
  await releaseOutside(deps, pool, new Set([number]));
  expect(await ownerOf(deps, number)).toBe("lost");
  await releaseOutside(deps, pool, new Set());
  expect(await ownerOf(deps, number)).toBeUndefined();
  expect(await usageOf(deps, pool)).toMatchObject({ used: 0, resting: 1 });
});

it("one that an order holds stays the order's", async () => {
  const deps = testDeps();
  const { claim } = orders(deps);
  const number = (await claim("one")) ?? 0;
  await holdOutside(deps, pool, number, "lost");
  await releaseOutside(deps, pool, new Set());
  expect(await ownerOf(deps, number)).toBe("one");
  expect(await usageOf(deps, pool)).toMatchObject({ used: 1, resting: 0 });
});

it("what is of no pool is nobody's", async () => {
  const deps = testDeps();
  for (const number of [99, 400]) await holdOutside(deps, pool, number, "lost");
  expect(await usageOf(deps, pool)).toMatchObject({ used: 0 });
});

it("orders that claim meanwhile get others", async () => {
  const deps = testDeps();
  const { claim } = orders(deps);
  const [, , ...claimed] = await Promise.all([
    holdOutside(deps, pool, 103, "lost"),
    holdOutside(deps, pool, 100, "found"),
    ...Array.from({ length: 10 }, (_, n) => claim(`cluster-${n}`)),
  ]);
  expect(new Set(claimed).size).toBe(10);
  const owners = await Promise.all(claimed.map((number) => ownerOf(deps, number ?? 0)));
  expect(owners.filter((owner) => owner === "lost" || owner === "found")).toEqual([]);
  expect((await usageOf(deps, pool)).used).toBeGreaterThanOrEqual(10);
});
