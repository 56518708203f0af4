import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSqliteStore, type SqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import { absent, exists } from "../../../../core/kernel/store/store.ts";
import { eventually } from "../../../support/eventually.ts";

const key = (sk: string) => ({ pk: "p", sk });

describe("the stream of the SQLite store", () => {
  let store: SqliteStore;
  beforeEach(() => {
    store = openSqliteStore(":memory:");
  });
  afterEach(() => store.close());

  it("holds every change in order, with what was before and after", async () => {
    await store.transact([{ put: { ...key("a"), n: 1 } }, { put: key("b") }]);
    await store.transact([{ update: key("a"), add: { n: 1 } }]);
    await store.transact([{ delete: key("b") }]);
    expect(store.stream(undefined, 10)).toEqual([
      { sequence: "1", key: key("a"), after: { ...key("a"), n: 1 } },
      { sequence: "2", key: key("b"), after: key("b") },
      { sequence: "3", key: key("a"), before: { ...key("a"), n: 1 }, after: { ...key("a"), n: 2 } },
      { sequence: "4", key: key("b"), before: key("b") },
    ]);
  });

  it("goes on after a sequence, a batch at a time", async () => {
    for (const sk of ["a", "b", "c"]) await store.transact([{ put: key(sk) }]);
    const first = store.stream(undefined, 2);
    expect(first.map((record) => record.key.sk)).toEqual(["a", "b"]);
    const second = store.stream(first.at(-1)?.sequence, 2);
    expect(second.map((record) => record.key.sk)).toEqual(["c"]);
    expect(store.stream(second.at(-1)?.sequence, 2)).toEqual([]);
  });

  it("says nothing of what was refused, checked or left as it was", async () => {
    await store.transact([{ put: { ...key("a"), n: 1 } }]);
    await store.transact([{ check: key("a"), if: exists }]);
    await store.transact([{ put: { ...key("a"), n: 1 } }]);
    await store.transact([{ update: key("a"), set: { n: 1 } }, { delete: key("b") }]);
    const refused = store.transact([{ put: key("c") }, { put: key("a"), if: absent }]);
    await expect(refused).rejects.toMatchObject({ name: "TransactionRefused" });
    expect(store.stream(undefined, 10)).toHaveLength(1);
  });

  it("never gives the number of a trimmed record again", async () => {
    for (const sk of ["a", "b", "c"]) await store.transact([{ put: key(sk) }]);
    store.trimStream("3");
    expect(store.stream(undefined, 10).map(({ sequence }) => sequence)).toEqual(["3"]);
    store.trimStream("9");
    await store.transact([{ put: key("d") }]);
    expect(store.stream(undefined, 10).map(({ sequence }) => sequence)).toEqual(["4"]);
  });

  it("tells listeners of new records once they can be read, until they stop", async () => {
    const seen: number[] = [];
    const stop = store.onChange(() => seen.push(store.stream(undefined, 10).length));
    await Promise.all([store.transact([{ put: key("a") }]), store.transact([{ put: key("b") }])]);
    await eventually(() => expect(seen).toEqual([2]));
    await expect(store.transact([{ check: key("x"), if: exists }])).rejects.toThrow();
    await store.transact([{ put: key("c") }]);
    await eventually(() => expect(seen).toEqual([2, 3]));
    stop();
    await store.transact([{ put: key("d") }]);
    const told = vi.fn();
    store.onChange(told);
    await store.transact([{ put: key("e") }]);
    await eventually(() => expect(told).toHaveBeenCalledOnce());
    expect(seen).toEqual([2, 3]);
  });

  it("delivers records again on request, and still comes to an end", async () => {
    const repeating = openSqliteStore(":memory:", { repeatStream: 2 });
    for (const sk of ["a", "b", "c", "d"]) await repeating.transact([{ put: key(sk) }]);
    const batches: string[] = [];
    let cursor: string | undefined;
    for (;;) {
      const records = repeating.stream(cursor, 2);
      if (records.length === 0) break;
      batches.push(records.map((record) => record.key.sk).join(""));
      cursor = records.at(-1)?.sequence;
    }
    expect(batches).toEqual(["ab", "abcd"]);
    repeating.close();
  });

  it("carries what the sweep of expired items deletes", async () => {
    const expiring = { ...key("a"), expires: 100, g1pk: "g", g1sk: "1" };
    await store.transact([{ put: expiring }, { put: { ...key("b"), expires: 101 } }]);
    await store.transact([{ put: key("c") }, { put: { ...key("d"), expires: "never" } }]);
    expect(store.sweepExpired(99)).toBe(0);
    expect(store.sweepExpired(100)).toBe(1);
    expect(await store.get(key("a"))).toBeUndefined();
    expect((await store.query({ pk: "g", index: "g1" })).items).toEqual([]);
    expect((await store.query({ pk: "p" })).items).toHaveLength(3);
    expect(store.stream(undefined, 10).at(-1)).toMatchObject({ key: key("a"), before: expiring });
  });

  it("sweeps any number of items", async () => {
    for (let n = 0; n < 250; n += 1) {
      await store.transact([{ put: { ...key(`${n}`), expires: n } }]);
    }
    expect(store.sweepExpired(240)).toBe(241);
    expect((await store.query({ pk: "p" })).items).toHaveLength(9);
  });
});

describe("the index lag of the SQLite store", () => {
  const found = async (store: SqliteStore, query: object = {}) =>
    (await store.query({ pk: "g", index: "g1", ...query })).items;
  const indexed = (sk: string, score: string) => ({ ...key(sk), g1pk: "g", g1sk: score });

  it("finds items where they were some writes ago, and answers those that are there still, as they are", async () => {
    const store = openSqliteStore(":memory:", { indexLag: 2 });
    await store.transact([{ put: indexed("a", "1") }]);
    expect(await found(store)).toEqual([]);
    await store.transact([{ put: indexed("b", "2") }]);
    await store.transact([{ put: indexed("c", "3") }]);
    expect(await found(store)).toEqual([indexed("a", "1")]);
    await store.transact([{ update: key("a"), set: { g1pk: "g", g1sk: "9" } }]);
    await store.transact([{ delete: key("b") }]);
    expect(await found(store)).toEqual([indexed("c", "3")]);
    store.catchUp();
    expect(await found(store)).toEqual([indexed("c", "3"), indexed("a", "9")]);
    await store.transact([{ update: key("c"), set: { n: 1 } }]);
    expect(await found(store)).toEqual([{ ...indexed("c", "3"), n: 1 }, indexed("a", "9")]);
    store.close();
  });

  it("answers ranges and pages of what was", async () => {
    const store = openSqliteStore(":memory:", { indexLag: 100 });
    for (const n of ["1", "2", "3", "4"]) await store.transact([{ put: indexed(n, n) }]);
    store.catchUp();
    for (const n of ["0", "5"]) await store.transact([{ put: indexed(n, n) }]);
    await store.transact([{ delete: key("3") }]);
    const query = { range: { from: "1" }, limit: 2, reverse: true };
    const first = await store.query({ pk: "g", index: "g1", ...query });
    expect(first.items).toEqual([indexed("4", "4"), indexed("2", "2")]);
    expect(await found(store, { ...query, cursor: first.cursor })).toEqual([indexed("1", "1")]);
    const all = { pk: "g", index: "g1", range: { from: "1" } } as const;
    expect(await store.count(all)).toEqual({ count: 4 });
    const counted = await store.count({ ...all, limit: 1 });
    expect(counted.count).toBe(1);
    const rest = await found(store, { ...all, cursor: counted.cursor });
    expect(rest).toEqual([indexed("2", "2"), indexed("4", "4")]);
    store.close();
  });
});
