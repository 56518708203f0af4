import { describe, expect, it } from "vitest";
import {
  type Candidate,
  type Constraints,
  chooseHub,
  mayMeet,
  mismatch,
} from "../../../../core/placement/hubs/candidate.ts";
import type { HubSpec } from "../../../../core/resources/hub/model.ts";
import { hubStatus } from "../../../../core/resources/hub/status.ts";
import { hubRecord } from "../../../support/placement.ts";

const now = Date.UTC(2026, 0, 1);
const minute = 60_000;

function candidate(
  id: string,
  spec: Partial<HubSpec> = {},
  { used = 0, silent = 0 }: { used?: number; silent?: number } = {},
): Candidate {
  return { hub: hubRecord(id, spec), used, heartbeat: now - silent, hosts: {} };
}

/** Its agent reports, and Slipway gets no answer from it. */
function unreached(id: string): Candidate {
  const hub = hubRecord(id);
  const found = { HUB_CONDITION_TYPE_REACHED: { status: false, reason: "NoAnswer" } };
  return { ...candidate(id), hub: { ...hub, status: hubStatus(hub.status, found, now) } };
}

const anyone: Constraints = { tenant: "tenant-a" };
/** As OSAC's installer leaves them out. */
const lackingThese: Partial<HubSpec> = { capacity: undefined, region: undefined };

describe("a hub is rejected, with the reason", () => {
  const cases: [string, Candidate, Constraints][] = [
    ["is in region us", candidate("h", { region: "us" }), { ...anyone, region: "eu" }],
    [
      "has no label tier=gold",
      candidate("h", { labels: { tier: "silver" } }),
      { ...anyone, labels: { tier: "gold" } },
    ],
    ["has no label tier=gold", candidate("h"), { ...anyone, labels: { tier: "gold" } }],
    ["serves other tenants", candidate("h", { tenants: ["tenant-b"] }), anyone],
    ["lacks capacity, region", candidate("h", lackingThese), { ...anyone, region: "eu" }],
    ["is cordoned", candidate("h", { cordoned: true }), anyone],
    ["has not reported yet", { ...candidate("h"), heartbeat: undefined }, anyone],
    ["has not reported for 10 minutes", candidate("h", {}, { silent: 10 * minute + 1 }), anyone],
    ["cannot be reached", unreached("h"), anyone],
    ["carries 20 of 20 control planes", candidate("h", {}, { used: 20 }), anyone],
    ["carries 21 of 20 control planes", candidate("h", {}, { used: 21 }), anyone],
    ["carries 0 of 0 control planes", candidate("h", { capacity: 0 }), anyone],
  ];
  it.each(cases)("%s", (reason, hub, wish) => {
    expect(chooseHub([hub], wish, now)).toMatchObject({
      fitting: [],
      rejected: [{ hub: "h", reason }],
    });
  });
});

describe("a hub fits", () => {
  const cases: [string, Candidate, Constraints][] = [
    ["in any region when none is asked for", candidate("h", { region: "us" }), anyone],
    ["in the region asked for", candidate("h"), { ...anyone, region: "eu" }],
    [
      "with more labels than are asked for",
      candidate("h", { labels: { tier: "gold", gpu: "yes" } }),
      { ...anyone, labels: { tier: "gold" } },
    ],
    ["that is kept for this tenant", candidate("h", { tenants: ["tenant-a"] }), anyone],
    ["whose list of tenants is empty", candidate("h", { tenants: [] }), anyone],
    ["that reported 10 minutes ago", candidate("h", {}, { silent: 10 * minute }), anyone],
    ["with one slot left", candidate("h", {}, { used: 19 }), anyone],
  ];
  it.each(cases)("%s", (_, hub, wish) => {
    expect(chooseHub([hub], wish, now).fitting).toEqual([hub]);
  });
});

const order = (candidates: Candidate[]) =>
  chooseHub(candidates, anyone, now).fitting.map(({ hub }) => hub.id);

it("the least loaded goes first, by share of its capacity", () => {
  const big = candidate("big", { capacity: 100 }, { used: 10 });
  const small = candidate("small", { capacity: 4 }, { used: 1 });
  expect(order([small, big])).toEqual(["big", "small"]);
});

it("a hub kept for the tenant goes before one that is less loaded", () => {
  const kept = candidate("kept", { tenants: ["tenant-a"] }, { used: 19 });
  expect(order([candidate("open"), kept])).toEqual(["kept", "open"]);
});

it("hubs that are alike go by their id, in whatever order they were read", () => {
  const [a, b, c] = [candidate("a"), candidate("b"), candidate("c")];
  expect(order([c, a, b])).toEqual(["a", "b", "c"]);
});

it("only a hub that could serve the wish makes it wait for a slot", () => {
  const full = { used: 20 };
  const wish = { ...anyone, region: "eu" };
  expect(chooseHub([candidate("h", {}, full)], wish, now).wantsSlot).toBe(true);
  expect(chooseHub([candidate("h", { region: "us" }, full)], wish, now).wantsSlot).toBe(false);
  expect(chooseHub([candidate("h")], wish, now).wantsSlot).toBe(false);
});

it("a wish without a slot goes to full hubs, and to hubs that carry no control planes", () => {
  const full = candidate("full", {}, { used: 20 });
  const bare = candidate("none", { capacity: undefined, base_domain: undefined });
  const { fitting, wantsSlot } = chooseHub([full, bare], anyone, now, false);
  expect(fitting.map(({ hub }) => hub.id)).toEqual(["none", "full"]);
  expect(wantsSlot).toBe(false);
  const elsewhere = chooseHub([candidate("h", { region: undefined })], anyone, now, false);
  expect(elsewhere.rejected).toEqual([{ hub: "h", reason: "lacks region" }]);
});

it("a cluster that is placed wants its own hub, whatever that hub has become", () => {
  const own = hubRecord("own", { region: "us", tenants: ["tenant-b"] });
  const wish = { ...anyone, region: "eu", hub: "own" };
  expect(mismatch(own, wish)).toBeUndefined();
  expect(mismatch(hubRecord("other"), wish)).toBe("is not the owner's hub");
});

describe("two wishes may meet on one hub", () => {
  const wishes: [string, Partial<Constraints>, Partial<Constraints>, boolean][] = [
    ["that ask for nothing", {}, {}, true],
    ["of two regions", { region: "eu" }, { region: "us" }, false],
    ["of one region and any", { region: "eu" }, {}, true],
    ["of two values of a label", { labels: { a: "1" } }, { labels: { a: "2" } }, false],
    ["of two labels", { labels: { a: "1" } }, { labels: { b: "2" } }, true],
    ["on two hubs", { hub: "one" }, { hub: "other" }, false],
    ["on a hub, whose region is not known", { hub: "one", region: "eu" }, { region: "us" }, true],
  ];
  it.each(wishes)("%s", (_, one, other, may) => {
    expect(mayMeet({ ...anyone, ...one }, { ...anyone, ...other })).toBe(may);
    expect(mayMeet({ ...anyone, ...other }, { ...anyone, ...one })).toBe(may);
  });
});
