import { expect, it } from "vitest";
import { days, hours } from "../../../../core/clock.ts";
import type { Item } from "../../../../core/kernel/store/store.ts";
import {
  hubUseKey,
  noteUses,
  perDay,
  regionUseKey,
  trendsOf,
} from "../../../../core/placement/capacity/trend.ts";
import { testDeps } from "../../../support/deps.ts";

/** How fast what can run out is used up. */

const now = Date.UTC(2026, 5, 10);
const samples = (...used: [age: number, used: number][]) =>
  used.map(([age, used]) => ({ at: now - days(age), used }));

it.each([
  ["nothing is known yet", [], 5, undefined],
  ["an hour is known", samples([1 / 24, 0]), 5, undefined],
  ["a day is known", samples([1, 3]), 5, 2],
  ["a week is known: on average", samples([7, 0], [3, 1], [1, 9]), 14, 2],
  ["it grows by less than one a day", samples([4, 0]), 1, 0.3],
  ["it shrinks", samples([2, 10]), 4, -3],
  ["what is older than a week does not count", samples([30, 0], [2, 10]), 10, 0],
])("where %s", (_, known, used, expected) => {
  expect(perDay(known, used, now)).toBe(expected);
});

const usedIn = (item: Item | undefined): number[] =>
  ((item?.samples ?? []) as { used: number }[]).map(({ used }) => used);

it("writes uses down once a day, and forgets them after a week", async () => {
  const deps = testDeps();
  let reads = 0;
  const note = (used: number) =>
    noteUses(deps, async () => {
      reads += 1;
      return [{ key: regionUseKey("vlans"), used }];
    });
  for (let day = 0; day < 10; day++) {
    await note(day);
    await deps.clock.advance(hours(1));
    await note(day + 100);
    await deps.clock.advance(hours(23));
  }
  expect(reads).toBe(10);
  expect(usedIn(await deps.store.get(regionUseKey("vlans")))).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
});

it("a crash halfway is made good by the next call", async () => {
  const deps = testDeps();
  const uses = [
    { key: hubUseKey("hub-a"), used: 1 },
    { key: hubUseKey("hub-b"), used: 2 },
  ];
  const { store } = deps;
  let writes = 0;
  const dying = {
    ...deps,
    store: {
      get: store.get.bind(store),
      getMany: store.getMany.bind(store),
      transact: async (...call: Parameters<typeof store.transact>) => {
        writes += 1;
        if (writes === 2) throw new Error("the process ends");
        return store.transact(...call);
      },
    },
  };
  await expect(noteUses(dying, async () => uses)).rejects.toThrow("the process ends");
  await noteUses(deps, async () => uses);
  const kept = await store.getMany(uses.map(({ key }) => key));
  expect(kept.map(usedIn)).toEqual([[1, 1], [2]]);
});

it("a hub's control planes and its hosts of each type have trends of their own, read by the hub's id", async () => {
  const deps = testDeps();
  const key = hubUseKey("hub-a");
  await noteUses(deps, async () => [{ key, used: 1, hosts: { small: 2 } }]);
  await deps.clock.advance(days(1));
  const trendOf = await trendsOf(deps, [key, key]);
  expect(trendOf(key, { used: 2, free: 3 })).toEqual({ per_day: 1, days_left: 3 });
  expect(trendOf(key, { used: 6, free: 9 }, "small")).toEqual({ per_day: 4, days_left: 2 });
  expect(trendOf(key, { used: 6, free: 9 }, "large")).toEqual({});
  expect(trendOf(hubUseKey("hub-b"), { used: 6, free: 9 })).toEqual({});
});
