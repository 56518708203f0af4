import { expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import {
  hubRegionPartition,
  hubsWithPartition,
  roomKey,
  slotsKey,
} from "../../../../core/kernel/object/hub-keys.ts";
import { archive, mustLoad } from "../../../../core/kernel/object/records.ts";
import { noteRoom } from "../../../../core/placement/capacity/note-room.ts";
import { hostQueue } from "../../../../core/placement/queues/tickets.ts";
import { wakeQueues } from "../../../../core/placement/queues/wake.ts";
import { noteReached, noteUnreached } from "../../../../core/reconcile/reach.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { interrupted } from "../../../support/interrupted-store.ts";
import {
  addHosts,
  addHub,
  giveAllBack,
  hostsNamed,
  placementOf,
  reserveFor,
} from "../../../support/placement.ts";
import { inLine, setHub, waitingDeps } from "../../../support/waiting.ts";

type Counts = Record<string, number>;

/** The section of each hub in the list of all hubs of a region. */
async function sectionsIn({ store }: TestDeps, region = "eu"): Promise<Record<string, string>> {
  const { items } = await store.query({ pk: hubsWithPartition("*", "*", region) });
  return Object.fromEntries(items.map(({ hub, sk }) => [String(hub), sk.slice(0, 1)]));
}

const use = ({ store }: TestDeps, used: number) =>
  store.transact([{ put: { ...slotsKey("hub"), used } }]);

it("a state that was old when it was written is not the last word", async () => {
  const deps = testDeps();
  await addHub(deps, "hub", { capacity: 2 });
  await noteRoom(deps, "hub");
  await use(deps, 2);
  const store = interrupted(deps.store, async () => {
    await use(deps, 0);
    await noteRoom(deps, "hub");
  });
  await noteRoom({ ...deps, store }, "hub");
  expect(await sectionsIn(deps)).toEqual({ hub: "a" });
});

it("entries follow their hub: its slots, its region, whether it is reached, and its end", async () => {
  const deps = waitingDeps();
  await addHub(deps, "hub", { capacity: 1 });
  await addHosts(deps, "hub", "small", hostsNamed("s", 1));
  await deps.relayed();
  expect(await sectionsIn(deps)).toEqual({ hub: "a" });
  const [order] = await inLine(deps, ["one", { small: 1 }]);
  expect(await sectionsIn(deps)).toEqual({ hub: "e" });
  await giveAllBack(deps, order);
  await deps.relayed();
  expect(await sectionsIn(deps)).toEqual({ hub: "a" });
  await setHub(deps, "hub", { region: "us" });
  await deps.relayed();
  expect([await sectionsIn(deps), await sectionsIn(deps, "us")]).toEqual([{}, { hub: "a" }]);
  const { items } = await deps.store.query({ pk: hubRegionPartition });
  expect(items.map(({ sk, count }) => [sk, count])).toEqual([
    ["eu", 0],
    ["us", 1],
  ]);
  const silence = new AppError("Unavailable", "the hub does not answer");
  for (let n = 0; n < 2; n++) await noteUnreached(deps, "hub", silence);
  await deps.relayed();
  expect(await sectionsIn(deps, "us")).toEqual({});
  await noteReached(deps, "hub");
  await deps.relayed();
  expect(await sectionsIn(deps, "us")).toEqual({ hub: "a" });
  await deps.store.transact(archive(kinds, await mustLoad(deps, "hub", "hub"), 0));
  await deps.relayed();
  expect(await sectionsIn(deps, "us")).toEqual({});
  expect(await deps.store.get(roomKey("hub"))).toBeUndefined();
});

it.each<[string, "slots" | "freehosts" | "hosts", Counts, Counts, boolean]>([
  ["another slot in use", "slots", { used: 1 }, { used: 2 }, false],
  ["the last slot in use", "slots", { used: 19 }, { used: 20 }, true],
  [
    "one free host fewer, of nine",
    "freehosts",
    { "type:a": 9, "held:a": 0 },
    { "type:a": 8, "held:a": 1 },
    false,
  ],
  ["one free host fewer, of eight", "freehosts", { "type:a": 8 }, { "type:a": 7 }, true],
  ["a free host more, of none", "freehosts", {}, { "type:a": 1 }, true],
  ["no free host, as before", "freehosts", {}, { "type:a": 0 }, false],
  ["another host", "hosts", { "type:a": 8 }, { "type:a": 9 }, false],
  ["no host of a type any more", "hosts", { "type:a": 1 }, { "type:a": 0 }, true],
  ["the first host of a type", "hosts", { "type:a": 1 }, { "type:a": 1, "type:b": 1 }, true],
])("%s: its entries move only when its section does", async (_, word, before, after, moves) => {
  const deps = waitingDeps();
  await addHub(deps, "hub", { capacity: 20 });
  const hosts = { "type:a": 99 };
  const free = { "type:a": 9 };
  const counters = { slots: { used: 0 }, hosts, freehosts: free };
  const put = (name: string, counts: Counts) => ({
    put: { pk: `${name}#hub`, sk: "-", ...counts },
  });
  await deps.store.transact(
    Object.entries({ ...counters, [word]: before }).map(([name, counts]) => put(name, counts)),
  );
  await deps.relayed();
  const written = deps.store.stream(undefined, 1000).at(-1)?.sequence;
  await deps.store.transact([put(word, after)]);
  await deps.relayed();
  const since = deps.store.stream(written, 1000).map(({ key }) => key.pk.split("#", 1)[0]);
  expect(since.includes("hubs-with")).toBe(moves);
  // Four write units: the hub's share, and the sum of its region.
  const counted = moves ? [] : since.filter((name) => name !== word);
  const isChanged = Object.entries(after).some(([name, n]) => n !== (before[name] ?? 0));
  if (!moves) expect(counted).toEqual(isChanged ? ["room", "capacity"] : []);
});

it("who is woken finds what was freed, though the relay has not come to the counters", async () => {
  const deps = waitingDeps();
  await addHub(deps, "hub", { capacity: 1 });
  await addHosts(deps, "hub", "small", hostsNamed("s", 1));
  for (const other of hostsNamed("other", 10)) {
    await addHub(deps, other, { capacity: 0 });
    await addHosts(deps, other, "small", [`${other}-s`]);
  }
  await deps.relayed();
  const [first, second] = await inLine(deps, ["first", { small: 1 }], ["second", { small: 1 }]);
  await giveAllBack(deps, first);
  await wakeQueues(deps, [hostQueue("small")], "hub");
  expect(await reserveFor(deps, second)).toMatchObject({ placed: true });
  expect(await placementOf(deps, second)).toMatchObject({ hub: "hub" });
});
