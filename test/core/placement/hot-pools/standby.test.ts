import { describe, expect, it } from "vitest";
import { asOperationId } from "../../../../core/id.ts";
import { freeHostsKey, poolShards, standbyKey } from "../../../../core/kernel/object/hub-keys.ts";
import {
  type Standby,
  standbyHosts,
  standbyOf,
  standbyWrites,
} from "../../../../core/placement/hot-pools/standby.ts";
import type { Host } from "../../../../core/placement/pool/host.ts";
import { testDeps } from "../../../support/deps.ts";
import { hostRecord, hostsNamed } from "../../../support/placement.ts";

/** The servers behind the pool: which of them can be discovered, and how they are counted. */

const bare = hostRecord("h1", "hub", "metal");
const credentials = { bmc: { address: "redfish://bmc", credentials: "c1" } };
const agentOf = ({ status }: Host) => status.agent ?? expect.unreachable("it has an agent");
const operation = asOperationId("o1");
const since = "2026-05-04T10:00:00.000Z";
const owner = { kind: "cluster", id: "c1", tenant: "tenant-a", node_set: "workers" } as const;
const health = { alerts: [], prevents_allocation: true } as unknown as Host["status"]["health"];

const gone = { ...bare.status, agent: { ...agentOf(bare), gone: true } };
const erased = { condition: "CLEAN" } as const;
const discovered = { condition: "READY" } as const;

it.each<[string, Partial<Host>, Standby | undefined]>([
  ["of which nothing is known yet", {}, "idle"],
  ["that is erased", { server: erased }, "idle"],
  ["with something on its drives", { server: { condition: "USED" } }, undefined],
  ["that is discovered", { server: discovered }, undefined],
  ["that was discovered, and whose agent is gone", { server: discovered, status: gone }, "idle"],
  [
    "with something on its drives, and no agent",
    { server: { condition: "USED" }, status: gone },
    undefined,
  ],
  ["that is being discovered", { operation, server: { ...erased, work: "discover" } }, "coming"],
  [
    "whose discovery takes too long",
    { operation, server: { ...erased, work: "discover", isLate: true } },
    "late",
  ],
  [
    "whose last discovery took too long",
    { server: { ...erased, work: "discover", isLate: true } },
    "idle",
  ],
  ["that is being cleaned", { operation, server: { ...erased, work: "clean" } }, undefined],
  ["that something works on for the first time", { operation }, undefined],
  ["whose power somebody else manages", { spec: bare.spec }, undefined],
  ["without all of its DPUs", { spec: { ...bare.spec, ...credentials, dpus: 1 } }, undefined],
  [
    "with all of its DPUs",
    { spec: { ...bare.spec, ...credentials, dpus: 1 }, dpus: ["d1"] },
    "idle",
  ],
  ["in maintenance", { maintenance: { since, by: "root" } }, undefined],
  ["that somebody has", { status: { ...bare.status, owner } }, undefined],
  ["that is unhealthy", { status: { ...bare.status, ...(health && { health }) } }, undefined],
  ["whose firmware is to be updated first", { firmware_update: { since, by: "root" } }, undefined],
  ["that is set aside", { server: { ...erased, quarantine: { since, reason: "" } } }, undefined],
  ["that is retired", { server: { ...erased, isRetired: true } }, undefined],
])("a server %s stands by so: %#", (_, more, as) => {
  expect(standbyOf({ ...bare, spec: { ...bare.spec, ...credentials }, ...more })).toBe(as);
});

const place = { hub: "hub", hostType: "metal" };
const key = standbyKey("hub", "metal", "h1");

/** A store, and what it says of the host and of all. */
function opened() {
  const { store } = testDeps();
  const entry = () => store.get(key);
  return {
    ...{ store, entry },
    async move(as: Standby | undefined) {
      await store.transact(standbyWrites(place, "h1", await entry(), as));
    },
    async seen() {
      const { pk: _, sk: __, ...counted } = (await store.get(freeHostsKey("hub"))) ?? {};
      return { as: (await entry())?.as, ...counted };
    },
  };
}

describe("the entry of a server", () => {
  it("comes, changes and goes, and the hub counts it", async () => {
    const { move, seen } = opened();
    await move("idle");
    expect(await seen()).toEqual({ as: "idle", "idle:metal": 1 });
    await move("coming");
    expect(await seen()).toEqual({ as: "coming", "idle:metal": 0, "coming:metal": 1 });
    await move("late");
    expect(await seen()).toMatchObject({ as: "late", "coming:metal": 0, "late:metal": 1 });
    await move(undefined);
    expect(await seen()).toEqual({ "idle:metal": 0, "coming:metal": 0, "late:metal": 0 });
  });

  it("that is as it is to be takes no writes", async () => {
    const { move, entry } = opened();
    expect(standbyWrites(place, "h1", undefined, undefined)).toEqual([]);
    await move("idle");
    expect(standbyWrites(place, "h1", await entry(), "idle")).toEqual([]);
  });

  it.each<[string, Standby | undefined, Standby | undefined, Standby | undefined]>([
    ["has come", undefined, "idle", "coming"],
    ["has changed", "idle", "coming", "late"],
    ["has changed, and is to go", "idle", "coming", undefined],
    ["has gone", "idle", undefined, "coming"],
  ])("that %s meanwhile is not written over", async (_, read, meanwhile, as) => {
    const { move, entry, seen, store } = opened();
    await move(read);
    const stale = standbyWrites(place, "h1", await entry(), as);
    await move(meanwhile);
    const before = await seen();
    await expect(store.transact(stale)).rejects.toThrow();
    expect(await seen()).toEqual(before);
  });
});

it("servers that stand by in one way are found once each, in every shard, from a random one on", async () => {
  const { store } = testDeps();
  const all = hostsNamed("s", 20);
  const late = all[7] ?? "";
  for (const id of all)
    await store.transact(standbyWrites(place, id, undefined, id === late ? "late" : "idle"));
  const idle = all.filter((id) => id !== late);
  const found = async (as: Standby, random: number) => {
    const ids: string[] = [];
    for await (const id of standbyHosts(store, place, as, () => random)) ids.push(id);
    return ids;
  };
  const first = await found("idle", 0);
  expect(first.toSorted()).toEqual(idle);
  expect(await found("late", 0)).toEqual([late]);
  const shard = (id: string) => standbyKey("hub", "metal", id).pk;
  const shards = [...new Set(first.map(shard))];
  expect(shards).toHaveLength(poolShards);
  const last = await found("idle", 1 - 1 / poolShards);
  expect([...new Set(last.map(shard))]).toEqual([shards.at(-1), ...shards.slice(0, -1)]);
});
