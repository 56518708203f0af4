import { expect, it } from "vitest";
import { minutes } from "../../../../../core/clock.ts";
import { mustLoad, putNew } from "../../../../../core/kernel/object/records.ts";
import type { NumberPool } from "../../../../../core/ports/ipam/ipam.ts";
import { claimChosen } from "../../../../../core/ports/ipam/own/chosen-number.ts";
import { ownIpam } from "../../../../../core/ports/ipam/own/own.ts";
import { clusterRecord } from "../../../../support/cluster-record.ts";
import { testDeps } from "../../../../support/deps.ts";
import { heldIn, holderOf } from "../../../../support/holders.ts";

const pool: NumberPool = { name: "external_ips#pool", first: 0, size: 300, rest: minutes(10) };

async function open(...names: string[]) {
  const deps = testDeps();
  for (const name of names)
    await deps.store.transact(putNew(deps.kinds, clusterRecord(deps.clock.now(), name)));
  const ipam = ownIpam(deps);
  return {
    deps,
    ipam,
    choose: (name: string, number: number) =>
      claimChosen(deps, pool, holderOf("cluster", name), { number, fence: [] }),
    claim: (name: string) => ipam.claim(pool, holderOf("cluster", name), { count: 1, fence: [] }),
    release: (name: string) => ipam.release(pool, holderOf("cluster", name)),
    held: async (name: string) => heldIn(await mustLoad(deps, "cluster", name)),
  };
}

it("claims a number that nobody had, near or far, and leaves those before it to others", async () => {
  const { choose, claim, held, ipam, deps } = await open("near", "far", "next");
  expect(await choose("near", 2)).toEqual({ claimed: [2] });
  expect(await choose("far", 299)).toEqual({ claimed: [299] });
  expect(await held("far")).toEqual([299]);
  expect(await ipam.usage(pool)).toEqual({ used: 2, resting: 298, size: 300 });
  await deps.clock.advance(1);
  expect(await claim("next")).toEqual({ claimed: [0] });
});

it("answers what a holder has when it is asked again", async () => {
  const { choose, ipam } = await open("one");
  await choose("one", 2);
  expect(await choose("one", 7)).toEqual({ claimed: [2] });
  expect(await ipam.usage(pool)).toMatchObject({ used: 1 });
});

it("refuses a number that somebody has, and one that rests until its rest is over", async () => {
  const { choose, claim, release, deps } = await open("one", "two");
  await claim("one");
  expect(await choose("two", 0)).toEqual({ taken: "in use" });
  await release("one");
  expect(await choose("two", 0)).toEqual({ taken: "at rest" });
  await deps.clock.advance(pool.rest);
  expect(await choose("two", 0)).toEqual({ claimed: [0] });
});

it("gives a number to one of many that want just this, and none to the others", async () => {
  const names = Array.from({ length: 20 }, (_, n) => `cluster-${n}`);
  const { choose, ipam } = await open(...names);
  const claims = await Promise.all(names.map((name) => choose(name, 120)));
  expect(claims.filter((each) => "claimed" in each)).toEqual([{ claimed: [120] }]);
  expect(await ipam.usage(pool)).toEqual({ used: 1, resting: 120, size: 300 });
});

it("changes nothing for an operation that has turned back", async () => {
  const { deps, ipam } = await open("one");
  const fence = [{ check: { pk: "gone", sk: "-" }, if: { test: "exists" } as const }];
  const choice = { number: 3, fence };
  await expect(claimChosen(deps, pool, holderOf("cluster", "one"), choice)).rejects.toMatchObject({
    kind: "Cancelled",
  });
  expect(await ipam.usage(pool)).toEqual({ used: 0, resting: 0, size: 300 });
});
