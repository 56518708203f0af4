import { expect, it } from "vitest";
import type { TypeShortage } from "../../../../core/placement/capacity/fleet.ts";
import { apartText, shortageText } from "../../../../core/placement/capacity/shortage-text.ts";
import type { Constraints } from "../../../../core/placement/hubs/candidate.ts";

/** What people read of an order that no wait can serve: what there is, and what would be right. */

const kind = "of type small";
type Where = Omit<Constraints, "tenant">;
const asked = (where: Where) => ({ kind, where: { tenant: "tenant-a", ...where } });
const lacking = (more: Partial<TypeShortage>): TypeShortage => ({
  ...{ asked: 9, most: 6, total: 6, regions: ["west"], elsewhere: [] },
  ...more,
});

it.each<[string, Partial<TypeShortage>, Where, string]>([
  ["one region", {}, { region: "west" }, "region west has 6 hosts of type small; order at most 6"],
  [
    "a single host",
    { most: 1, total: 1 },
    { region: "west" },
    "region west has 1 host of type small; order at most 1",
  ],
  [
    "a hub",
    { regions: [] },
    { hub: "hub-a", region: "west" },
    "its hub has 6 hosts of type small; order at most 6",
  ],
  [
    "hubs of which none is enough",
    { most: 4 },
    { region: "west" },
    "region west has 6 hosts of type small, at most 4 of them on one hub, where all have to be; order at most 4",
  ],
  [
    "a region, on hubs that are of none",
    { regions: [] },
    { region: "west" },
    "region west has 6 hosts of type small; order at most 6",
  ],
  [
    "any region, on hubs that are of none",
    { regions: [] },
    {},
    "there are 6 hosts of type small; order at most 6",
  ],
  [
    "any region, of which one has some",
    {},
    {},
    "region west has 6 hosts of type small; order at most 6",
  ],
  [
    "any region, of which three have some",
    { regions: ["east", "north", "west"] },
    {},
    "regions east, north and west have 6 hosts of type small; order at most 6",
  ],
  [
    "hubs with labels",
    {},
    { region: "west", labels: { gpu: "yes", tier: "1" } },
    "region west has 6 hosts of type small on hubs with gpu=yes, tier=1; order at most 6",
  ],
  [
    "the site of a network",
    {},
    { region: "west", labels: {}, site: "site-a" },
    "region west has 6 hosts of type small at the site of its network; order at most 6",
  ],
])("too few hosts in %s", (_, lack, where, words) => {
  expect(shortageText(lacking(lack), asked(where))).toBe(words);
});

const none: Partial<TypeShortage> = { most: 0, total: 0, regions: [] };

it.each<[string, string[], Where, string]>([
  [
    "a region, and others have some",
    ["east", "north"],
    { region: "west" },
    "region west has no hosts of type small; order in another region: east, north",
  ],
  [
    "a region, nor in another",
    [],
    { region: "west" },
    "region west has no hosts of type small; order another type, or ask the provider for such hosts",
  ],
  [
    "any region",
    [],
    {},
    "no region has hosts of type small; order another type, or ask the provider for such hosts",
  ],
  [
    "a hub",
    [],
    { hub: "hub-a", region: "west" },
    "its hub has no hosts of type small; order another type, or ask the provider for such hosts",
  ],
])("no host in %s", (_, elsewhere, where, words) => {
  expect(shortageText(lacking({ ...none, elsewhere }), asked(where))).toBe(words);
});

it("what an owner has already it may keep, although its hub has fewer now", () => {
  const where = { hub: "hub-a" };
  expect(shortageText(lacking({ most: 1, total: 1 }), { ...asked(where), atLeast: 2 })).toBe(
    "its hub has 1 host of type small; order at most 2",
  );
  expect(shortageText(lacking(none), { ...asked(where), atLeast: 2 })).toBe(
    "its hub has no hosts of type small; order at most 2",
  );
});

it("where several sets ask for the type, their sum is too high", () => {
  const said = { ...asked({ region: "west" }), sumOf: "workers and gpu" };
  expect(shortageText(lacking({}), said)).toBe(
    "region west has 6 hosts of type small, and workers and gpu ask for 9; order at most 6 in all",
  );
});

it.each<[Where, string]>([
  [{}, "no hub has"],
  [{ region: "west" }, "no hub in region west has"],
  [{ labels: { gpu: "yes" } }, "no hub with gpu=yes has"],
  [
    { region: "west", labels: { gpu: "yes" }, site: "site-a" },
    "no hub in region west with gpu=yes at the site of its network has",
  ],
])("enough of each type, and not on one hub: %j", (where, noHub) => {
  const wanted = new Map([
    ["small", 3],
    ["large", 1],
  ]);
  expect(apartText(wanted, asked(where).where)).toBe(
    `${noHub} 3 hosts of type small and 1 host of type large, and all have to be on one; order fewer, or in several orders`,
  );
});
