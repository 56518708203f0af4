import { expect, it } from "vitest";
import { asHostId } from "../../../../core/id.ts";
import { poolKey } from "../../../../core/kernel/object/hub-keys.ts";
import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import type { Store } from "../../../../core/kernel/store/store.ts";
import {
  admitHost,
  claimHost,
  moveToRack,
  reserveHost,
} from "../../../../core/placement/pool/entries.ts";
import type { Racks } from "../../../../core/placement/pool/host.ts";
import { countFree } from "../../../../core/placement/pool/host-counts.ts";
import { findInRacks } from "../../../../core/placement/pool/racks.ts";
import { counting } from "../../../support/counting-store.ts";

/** Free hosts by the racks that they stand in. */

const place = { hub: "hub-a", hostType: "small" };
const nobody: ReadonlySet<string> = new Set();

/** A pool with so many hosts in each of these racks, named by the rack, and some whose rack is not known. */
async function poolWith(racks: Record<string, number>, unknown = 0): Promise<Store> {
  const store = openSqliteStore(":memory:");
  const hosts = [
    ...Object.entries(racks).flatMap(([rack, count]) =>
      Array.from({ length: count }, (_, n) => admitHost(place, `${rack}-${n}`, rack)),
    ),
    ...Array.from({ length: unknown }, (_, n) => admitHost(place, `unknown-${n}`)),
  ];
  for (let at = 0; at < hosts.length; at += 99) {
    const some = hosts.slice(at, at + 99);
    await store.transact([...some, ...countFree([[place, some.length]])]);
  }
  return store;
}

const find = async (store: Store, racks: Racks, count: number, excluded = nobody) =>
  (await findInRacks(store, place, { racks, count }, excluded)).map(({ id }) => id);

it("in one rack are as many as asked, of the first rack that has them, or none", async () => {
  const store = await poolWith({ a: 3, "a#b": 4, c: 9 }, 20);
  expect((await find(store, "same", 4)).toSorted()).toEqual(["a#b-0", "a#b-1", "a#b-2", "a#b-3"]);
  const taken = await find(store, "same", 4, new Set(["a#b-0"]));
  expect(taken.every((host) => host.startsWith("c-"))).toBe(true);
  expect(await find(store, "same", 10)).toEqual([]);
});

it("spread are hosts of as many racks as asked, or none", async () => {
  const store = await poolWith({ a: 3, "a#b": 4, c: 9 }, 20);
  const found = await find(store, "spread", 3);
  expect(found.map((host) => host.replace(/-\d$/, "")).toSorted()).toEqual(["a", "a#b", "c"]);
  expect(await find(store, "spread", 4)).toEqual([]);
  expect(await find(store, "spread", 3, new Set(["a-0", "a-1", "a-2"]))).toEqual([]);
});

it("those that allocations keep are among them for their tenant, first of their rack", async () => {
  const store = await poolWith({ a: 1, b: 3 });
  const kept = { allocation: "theirs", tenant: "tenant-b" };
  const [of, other] = [
    { id: asHostId("a-9"), rack: "a" },
    { id: asHostId("b-9"), rack: "b" },
  ];
  for (const host of [of, other])
    await store.transact([admitHost(place, host.id, host.rack), ...countFree([[place, 1]])]);
  await store.transact([reserveHost(place, of, kept), reserveHost(place, other, kept)]);
  const own = [{ ...kept, hostType: place.hostType, count: 2 }];
  const found = async (racks: Racks, count: number, isTheirs = false) =>
    (await findInRacks(store, place, { racks, count, ...(isTheirs && { own }) }, nobody)).map(
      ({ id }) => id,
    );
  expect(await found("same", 2)).not.toContain("b-9");
  expect(await found("same", 4)).toEqual([]);
  expect(await found("spread", 2, true)).toEqual(["a-9", "b-9"]);
  expect(await found("same", 2, true)).toEqual(["a-9", "a-0"]);
  expect((await found("same", 4, true))[0]).toBe("b-9");
});

it("a kept host that moves to another rack stays kept", async () => {
  const store = await poolWith({ a: 1 });
  const kept = { allocation: "theirs", tenant: "tenant-b" };
  await store.transact([reserveHost(place, { id: asHostId("a-0"), rack: "a" }, kept)]);
  const entry = await store.get(poolKey(place.hub, place.hostType, "a-0"));
  if (!entry) throw new Error("the host is in no pool");
  await store.transact([moveToRack(place, "a-0", entry, "b")]);
  const own = [{ ...kept, hostType: place.hostType, count: 1 }];
  const asked = { racks: "same", count: 1, own } as const;
  expect(await findInRacks(store, place, asked, nobody)).toEqual([
    { id: "a-0", rack: "b", reservedFor: kept },
  ]);
  expect(await findInRacks(store, place, { racks: "same", count: 1 }, nobody)).toEqual([]);
});

it("is found by key what the index does not have yet, and nobody's but free hosts", async () => {
  const store = openSqliteStore(":memory:", { indexLag: 100 });
  for (const host of ["a-0", "b-0", "b-1"])
    await store.transact([admitHost(place, host, host.slice(0, 1)), ...countFree([[place, 1]])]);
  await store.transact([claimHost(place, "a-0", { kind: "cluster", id: "c1", tenant: "acme" })]);
  expect(await find(store, "same", 2)).toEqual(["b-0", "b-1"]);
  expect(await find(store, "spread", 2)).toEqual([]);
});

it("what is read does not grow with the pool where there is enough", async () => {
  const reads: number[] = [];
  for (const count of [10, 100]) {
    const racks = Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${n}`, 10]));
    const { counted, calls } = counting(await poolWith(racks));
    expect(await find(counted, "same", 8)).toHaveLength(8);
    reads.push(calls.query);
  }
  expect(reads[0]).toBe(reads[1]);
});

it("where no rack has enough, eight queries of keys tell it of ten thousand hosts, and none of too few hosts", async () => {
  const racks = Object.fromEntries(Array.from({ length: 1250 }, (_, n) => [`r${n}`, 8]));
  const store = await poolWith({ ...racks, z: 12 });
  const { counted, calls } = counting(store);
  expect(await find(counted, "same", 9)).toEqual([]);
  expect(calls).toMatchObject({ get: 1, query: 8, count: 0, getMany: 0, read: 1 });
  const few = counting(await poolWith({ a: 3, b: 3 }, 4));
  expect(await find(few.counted, "same", 4)).toEqual([]);
  // Those in no rack are counted, so that nothing is read by key.
  expect(few.calls).toMatchObject({ get: 1, query: 4, count: 4, read: 1 });
  expect(await find(few.counted, "same", 11)).toEqual([]);
  expect(few.calls).toMatchObject({ get: 2, query: 4 });
});
