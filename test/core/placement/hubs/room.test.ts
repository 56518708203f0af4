import { describe, expect, it } from "vitest";
import type { Item } from "../../../../core/kernel/store/store.ts";
import {
  type Counters,
  entriesOf,
  sectionsWith,
  towards,
} from "../../../../core/placement/hubs/room.ts";
import type { HubSpec } from "../../../../core/resources/hub/model.ts";
import { hubRecord } from "../../../support/placement.ts";

const item = (members: Record<string, number>): Item => ({ pk: "x", sk: "-", ...members });

/** Counters of a hub: its slots in use, its hosts by type, and those of them that are free. */
const counters = (
  used: number,
  hosts: Record<string, number> = {},
  free: Record<string, number> = {},
): Counters => {
  const typed = (counts: Record<string, number>) =>
    item(Object.fromEntries(Object.entries(counts).map(([type, n]) => [`type:${type}`, n])));
  return { slots: item({ used }), hosts: typed(hosts), free: typed(free) };
};

const places = (spec: Partial<HubSpec>, counted: Counters) =>
  entriesOf(hubRecord("h", spec), counted).map(({ pk, sk }) => `${pk} ${sk.slice(0, 1)}`);

describe("the section of a hub among those that have hosts of a type", () => {
  it.each([
    ["64 free", 19, 64, "a"],
    ["63 free", 19, 63, "b"],
    ["8 free", 19, 8, "b"],
    ["7 free", 19, 7, "c"],
    ["one free", 0, 1, "c"],
    ["none free", 0, 0, "d"],
    ["no slot, and a free host", 20, 1, "e"],
    ["no slot, and none free", 20, 0, "f"],
  ])("%s", (_, used, free, section) => {
    expect(places({}, counters(used, { small: 99 }, { small: free }))).toContain(
      `hubs-with#*#small#eu ${section}`,
    );
  });
});

describe("the lists of a hub", () => {
  const hosts = counters(0, { small: 2, gone: 0 }, { small: 2 });
  it.each<[string, Partial<HubSpec>, string[]]>([
    ["one for any type, and one a type", {}, ["*#*", "*#small"]],
    ["of its only tenant", { tenants: ["a"] }, ["a#*", "a#small"]],
    [
      "of each of its tenants, once",
      { tenants: ["b", "a", "b"] },
      ["a#*", "a#small", "b#*", "b#small"],
    ],
    ["for everybody, if its tenants are many", { tenants: [..."abcdefghi"] }, ["*#*", "*#small"]],
    ["none when it is cordoned", { cordoned: true }, []],
    ["none without a region", { region: undefined }, []],
  ])("%s", (_, spec, lists) => {
    const found = entriesOf(hubRecord("h", spec), hosts).map(({ pk }) => pk);
    expect(found).toEqual(lists.map((list) => `hubs-with#${list}#eu`));
  });

  it("a hub that lacks a setting for control planes has room for hosts alone", () => {
    expect(places({ base_domain: undefined }, counters(0, { small: 1 }, { small: 1 }))).toEqual([
      "hubs-with#*#*#eu e",
      "hubs-with#*#small#eu e",
    ]);
  });
});

it.each([
  [0, true, "abc"],
  [7, true, "abc"],
  [8, true, "ab"],
  [63, true, "ab"],
  [64, true, "a"],
  [1, false, "abce"],
  [64, false, "ae"],
])("%i hosts, with a slot (%s), may be in the sections %s", (count, slot, sections) => {
  expect(sectionsWith(count, slot).join("")).toBe(sections);
});

it.each([
  ["labels and types", { tier: "gold" }, { labels: { tier: "gold" }, types: ["small"] }],
  ["no long labels, which the hub's record has", { tier: "x".repeat(600) }, undefined],
])("an entry tells %s", (_, labels, facts) => {
  const [entry] = entriesOf(hubRecord("h", { labels }), counters(0, { small: 1 }));
  expect(entry).toMatchObject({ hub: "h" });
  expect(entry?.facts).toEqual(facts);
});

it("entries beyond a transaction come in several, each true by itself", () => {
  const types = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`type-${n}`, 1]));
  const hub = (region: string) => hubRecord("h", { region, tenants: [..."abcdefgh"] });
  const counted = counters(0, types, types);
  let listed = entriesOf(hub("eu"), counted);
  const wanted = entriesOf(hub("us"), counted);
  expect(wanted).toHaveLength(8 * 21);
  const regions: string[] = [];
  for (let n = 0; n < 4; n++) {
    const { writes, after } = towards(listed, wanted);
    expect(writes.length).toBeLessThan(100);
    expect(new Set(after.map(({ pk, sk }) => `${pk} ${sk}`)).size).toBe(after.length);
    for (const write of writes)
      if ("update" in write) regions.push(`${n} ${write.update.sk} ${write.add?.count}`);
    listed = after;
  }
  expect(listed).toEqual(wanted);
  expect(regions).toEqual(["0 us 1", "3 eu -1"]);
});
