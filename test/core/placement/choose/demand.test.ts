import { describe, expect, it } from "vitest";
import { asHostId, asHubId } from "../../../../core/id.ts";
import type { Placement } from "../../../../core/kernel/object/traits.ts";
import {
  constraintsOf,
  type Demand,
  idleHosts,
  lackingHosts,
  needsOf,
  type Want,
} from "../../../../core/placement/choose/demand.ts";

const demand = (wants: Want[], more: Partial<Demand> = {}): Demand => ({
  owner: { kind: "cluster", id: "one", tenant: "tenant-a" },
  wants,
  slot: true,
  where: {},
  queues: [],
  ...more,
});

const holding = (hosts: Record<string, number>): Placement => ({
  hub: asHubId("hub"),
  at: "",
  reason: "",
  rejected: [],
  hosts: Object.fromEntries(
    Object.entries(hosts).map(([set, count]) => [
      set,
      Array.from({ length: count }, (_, n) => asHostId(`${set}-${n}`)),
    ]),
  ),
});

const want = (set: string, hostType: string, count: number): Want => ({ set, hostType, count });

describe("what a demand lacks, and must find on one hub", () => {
  it.each<{
    what: string;
    wants: Want[];
    held?: Record<string, number>;
    lacking: Record<string, number>;
    needs: Record<string, number>;
  }>([
    {
      what: "everything before it is placed",
      wants: [want("a", "small", 2), want("b", "small", 1), want("c", "large", 1)],
      lacking: { a: 2, b: 1, c: 1 },
      needs: { small: 3, large: 1 },
    },
    {
      what: "what it does not hold yet; the hub must have those that it holds as well",
      wants: [want("a", "small", 3), want("b", "small", 1)],
      held: { a: 1, b: 1 },
      lacking: { a: 2 },
      needs: { small: 4 },
    },
    {
      what: "nothing of a set that has too many, whose hosts count until they are given back",
      wants: [want("a", "small", 1), want("gone", "small", 0)],
      held: { gone: 2 },
      lacking: { a: 1 },
      needs: { small: 3 },
    },
    {
      what: "nothing of a type of which it has all",
      wants: [want("a", "small", 1), want("c", "large", 2)],
      held: { a: 1, c: 1 },
      lacking: { c: 1 },
      needs: { large: 2 },
    },
    {
      what: "a single host",
      wants: [want("", "small", 1)],
      lacking: { "": 1 },
      needs: { small: 1 },
    },
  ])("$what", ({ wants, held, lacking, needs }) => {
    const placement = held && holding(held);
    const found = [...lackingHosts(wants, placement)].map(([set, { count }]) => [set, count]);
    expect(Object.fromEntries(found)).toEqual(lacking);
    expect(needsOf(demand(wants), placement)).toEqual(needs);
  });
});

it("a demand that is placed can use its own hub only", () => {
  const where = { region: "eu", labels: { tier: "gold" } };
  const asked = demand([], { where });
  expect(constraintsOf(asked, undefined)).toEqual({ tenant: "tenant-a", ...where });
  expect(constraintsOf(asked, holding({}))).toEqual({ tenant: "tenant-a", ...where, hub: "hub" });
});

it.each<{ inUse?: Record<string, number>; idle: string[] }>([
  { idle: ["a-0", "a-1", "b-0"] },
  { inUse: { a: 1 }, idle: ["a-1", "b-0"] },
  { inUse: { a: 5, b: 1 }, idle: [] },
])("hosts beyond those in use ($inUse) are kept from nobody while it waits", ({ inUse, idle }) => {
  const asked = demand([], inUse && { inUse });
  expect([...idleHosts(asked, holding({ a: 2, b: 1 }))]).toEqual(idle);
});
