import { expect, it } from "vitest";
import { hubRegionKey, hubsWithPartition } from "../../../../core/kernel/object/hub-keys.ts";
import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import {
  likely,
  onward,
  type ScanPosition,
} from "../../../../core/placement/hubs/hubs-with-room.ts";
import { wildcard } from "../../../../core/placement/hubs/room.ts";

const region = "east";
const pk = hubsWithPartition(wildcard, "small", region);

const search = { where: { tenant: "tenant-a" }, slot: true, types: new Map([["small", 1]]) };

/** So many hubs of each section, in the list of a region. */
async function listed(sections: Record<string, number>) {
  const store = openSqliteStore(":memory:");
  const entry = (section: string, n: number) => {
    const hub = `${section}${n}`;
    const lot = (1000 * n).toString(16).padStart(4, "0");
    return { put: { pk, sk: `${section}#${lot}#${hub}`, hub } };
  };
  await store.transact([
    { put: { ...hubRegionKey(region), count: 1 } },
    ...Object.entries(sections).flatMap(([section, most]) =>
      Array.from({ length: most }, (_, n) => entry(section, n)),
    ),
  ]);
  return store;
}

it.each([
  ["from the first lot on", 0],
  ["from the middle on", 0.5],
  ["from behind the last of the best", 0.999],
])("begins with every hub of the section with the most room, %s", async (_, start) => {
  const store = await listed({ a: 3, b: 2, c: 20 });
  const found: string[] = [];
  for await (const { entries } of likely(store, search, () => start, { likely: 2, onward: 2 }))
    found.push(...entries.map(({ hub }) => hub));
  expect(found.slice(0, 3).sort()).toEqual(["a0", "a1", "a2"]);
  expect(found.slice(3, 5)).toEqual(["b0", "b1"]);
  expect(found).toHaveLength(25);
  store.close();
});

it.each([3, 4])(
  "never says that it has come less far than before, in pages of %i",
  async (page) => {
    const store = await listed({ a: page, b: page });
    const come: string[] = [];
    for await (const { walked } of onward(store, search, { likely: page, onward: page }))
      if (walked.list === pk) come.push(walked.entry);
    expect(come.at(-1)).toBe(`b#${(1000 * (page - 1)).toString(16).padStart(4, "0")}#b${page - 1}`);
    expect(come).toEqual([...come].sort());
    store.close();
  },
);

it("goes on in the list where it was, whichever region has come or gone before it", async () => {
  const store = await listed({ a: 6 });
  const anywhere = { ...search, where: { tenant: "tenant-a" } };
  const sizes = { likely: 2, onward: 2 };
  await store.transact([{ put: { ...hubRegionKey("before"), count: 1 } }]);
  let walked: ScanPosition | undefined;
  for await (const page of onward(store, anywhere, sizes)) {
    walked = page.walked;
    if (page.entries.length > 0) break;
  }
  await store.transact([{ delete: hubRegionKey("before") }]);
  const rest: string[] = [];
  for await (const { entries } of onward(store, anywhere, sizes, walked))
    rest.push(...entries.map(({ hub }) => hub));
  // The entry where it was comes once more.
  expect(rest).toEqual(["a1", "a2", "a3", "a4", "a5"]);
  store.close();
});
