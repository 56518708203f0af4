import { beforeEach, describe, expect, it } from "vitest";
import { everyItem } from "../../../../core/kernel/store/pages.ts";
import type { Item, Query, Store } from "../../../../core/kernel/store/store.ts";
import { eventually } from "../../../support/eventually.ts";
import type { Subject } from "./contract.ts";

// In the order of their UTF-8 bytes; UTF-16 would have the last two the other way round.
const sorted = ["a", "a#1", "a#2", "ab", "b", "bc", "b\u{10ffff}", "é", "\uffee", "😀"];

export function answersQueries(subject: Subject): void {
  let store: Store;
  let pk: string;
  beforeEach(() => {
    store = subject.store();
    pk = subject.unique();
  });
  const write = (items: Item[]) => store.transact(items.map((put) => ({ put })));
  const sks = async (query: Partial<Query>) =>
    (await everyItem(store, { pk, ...query })).map(({ sk }) => sk);

  describe("queries", () => {
    beforeEach(async () => {
      await write(sorted.toReversed().map((sk) => ({ pk, sk })));
      await write([{ pk: `${pk}x`, sk: "a" }]);
    });

    it("sort by UTF-8 bytes, either way", async () => {
      expect(await sks({})).toEqual(sorted);
      expect(await sks({ reverse: true })).toEqual(sorted.toReversed());
      expect(await everyItem(store, { pk: `${pk}none` })).toEqual([]);
    });

    it.each<[NonNullable<Query["range"]>, string[]]>([
      [{ prefix: "a#" }, ["a#1", "a#2"]],
      [{ prefix: "b" }, ["b", "bc", "b\u{10ffff}"]],
      [{ prefix: "" }, sorted],
      [{ prefix: "none" }, []],
      [{ from: "ab" }, sorted.slice(3)],
      [{ to: "ab" }, sorted.slice(0, 4)],
      [{ from: "a#1", to: "b" }, sorted.slice(1, 5)],
      [{ from: "a#0", to: "a~" }, ["a#1", "a#2", "ab"]],
      [{ from: "b", to: "b" }, ["b"]],
      [{ from: "b", to: "a" }, []],
      [{ from: "\uffee", to: "😀" }, ["\uffee", "😀"]],
      [{ from: "", to: "a" }, ["a"]],
      [{ to: "" }, []],
      [{}, sorted],
    ])("answer the range %j", async (range, expected) => {
      const inOrder = sorted.filter((sk) => expected.includes(sk));
      expect(await sks({ range })).toEqual(inOrder);
      expect(await sks({ range, limit: 1 })).toEqual(inOrder);
      expect(await sks({ range, reverse: true })).toEqual(inOrder.toReversed());
      expect(await sks({ range, reverse: true, limit: 2 })).toEqual(inOrder.toReversed());
      expect(await store.count({ pk, range })).toEqual({ count: inOrder.length });
    });

    it.each([false, true])(
      "are counted, and go on behind what was counted (reverse: %s)",
      async (reverse) => {
        const inOrder = reverse ? sorted.toReversed() : sorted;
        for (const limit of [1, 4, 9]) {
          const { count, cursor } = await store.count({ pk, reverse, limit });
          expect(count).toBe(limit);
          const rest = { pk, reverse, ...(cursor && { cursor }) };
          expect(await sks(rest)).toEqual(inOrder.slice(limit));
          expect(await store.count(rest)).toEqual({ count: sorted.length - limit });
        }
        expect(await store.count({ pk, reverse, limit: 10 })).toMatchObject({ count: 10 });
        expect(await store.count({ pk, reverse, limit: 11 })).toEqual({ count: 10 });
        expect(await store.count({ pk: `${pk}none`, reverse })).toEqual({ count: 0 });
      },
    );

    it("hold no more than the limit in a page", async () => {
      const page = await store.query({ pk, limit: 3 });
      expect(page.items.map(({ sk }) => sk)).toEqual(sorted.slice(0, 3));
      expect(page.cursor).toEqual(expect.any(String));
      const all = await store.query({ pk });
      expect(all.cursor).toBeUndefined();
    });

    it("go on behind an item that has been deleted", async () => {
      const { cursor } = await store.query({ pk, limit: 2 });
      await store.transact([{ delete: { pk, sk: "a#1" } }]);
      const { items } = await store.query({ pk, limit: 1, ...(cursor && { cursor }) });
      expect(items).toEqual([{ pk, sk: "a#2" }]);
    });

    it("cut pages at 1 MB", async () => {
      const big = "x".repeat(300 * 1024);
      for (let n = 0; n < 5; n += 1) await write([{ pk: `${pk}big`, sk: `${n}`, big }]);
      const page = await store.query({ pk: `${pk}big`, limit: 10 });
      // Whether the item that goes beyond it still comes is nowhere said.
      expect([3, 4]).toContain(page.items.length);
      const items = await everyItem(store, { pk: `${pk}big` });
      expect(items.map(({ sk }) => sk)).toEqual(["0", "1", "2", "3", "4"]);
      expect(await store.count({ pk: `${pk}big` })).toEqual({ count: 5 });
      const { count, cursor } = await store.count({ pk: `${pk}big`, limit: 4 });
      expect(count).toBe(4);
      expect(await sks({ pk: `${pk}big`, ...(cursor && { cursor }) })).toEqual(["4"]);
    });

    it("answer keys alone", async () => {
      await write([
        { pk: `${pk}k`, sk: "a", of: 1 },
        { pk: `${pk}k`, sk: "b", of: 2 },
      ]);
      const query = { pk: `${pk}k`, only: "keys" } as const;
      expect((await store.query(query)).items).toEqual([
        { pk: `${pk}k`, sk: "a" },
        { pk: `${pk}k`, sk: "b" },
      ]);
      const { items, cursor = "" } = await store.query({ ...query, limit: 1 });
      expect(items).toHaveLength(1);
      expect(await everyItem(store, { ...query, cursor })).toEqual([{ pk: `${pk}k`, sk: "b" }]);
      expect(await sks({ only: "keys", range: { prefix: "a#" } })).toEqual(["a#1", "a#2"]);
      expect(await store.count({ ...query, limit: 2 })).toMatchObject({ count: 2 });
    });

    it("refuse a cursor that is not theirs", async () => {
      const { cursor = "" } = await store.query({ pk, limit: 5 });
      const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const wrong: Query[] = [
        { pk, cursor: "" },
        { pk, cursor: "!" },
        { pk, cursor: cursor.slice(1) },
        { pk, cursor: encoded(null) },
        { pk, cursor: encoded({ pk, sk: { S: "a" } }) },
        { pk: `${pk}x`, cursor },
        { pk, index: "g1", cursor },
        { pk, range: { prefix: "a" }, cursor },
        { pk, range: { to: "a" }, cursor },
      ];
      for (const query of wrong) {
        for (const refused of [store.query(query), store.count(query)])
          await expect(refused).rejects.toMatchObject({
            kind: "Invalid",
            violations: [{ field: "page_token" }],
          });
      }
    });
  });

  describe("indexes", () => {
    const found = async (query: Omit<Query, "pk">) =>
      (await everyItem(store, { pk, index: "g2", ...query })).map(({ sk }) => sk);
    /** An index may lag behind. */
    const expectFound = (query: Omit<Query, "pk">, expected: string[]) =>
      eventually(async () => expect(await found(query)).toEqual(expected));

    it("hold the items with their attributes, in the order of their sort key", async () => {
      const item = (sk: string, g2sk: string) => ({ pk: `${pk}${sk}`, sk, g2pk: pk, g2sk, of: sk });
      await write([item("one", "é"), item("two", "a"), item("three", "😀"), { pk, sk: "outside" }]);
      await expectFound({}, ["two", "one", "three"]);
      await expectFound({ reverse: true, limit: 1 }, ["three", "one", "two"]);
      await expectFound({ range: { from: "b" } }, ["one", "three"]);
      await expectFound({ range: { prefix: "a" } }, ["two"]);
      const { items } = await store.query({ pk, index: "g2", limit: 1 });
      expect(items).toEqual([item("two", "a")]);
      expect(await store.count({ pk, index: "g2" })).toEqual({ count: 3 });
      expect(await store.count({ pk, index: "g2", range: { from: "b" } })).toEqual({ count: 2 });
      const { count, cursor = "" } = await store.count({ pk, index: "g2", limit: 2 });
      expect(count).toBe(2);
      expect(await found({ cursor })).toEqual(["three"]);
      expect(await found({ index: "g3" })).toEqual([]);
    });

    it("answer keys alone, more of them than items on a page", async () => {
      const names = Array.from({ length: 130 }, (_, n) => String(n).padStart(3, "0"));
      for (const [from, to] of [
        [0, 65],
        [65, 130],
      ])
        await write(
          names.slice(from, to).map((sk) => ({ pk, sk: `of ${sk}`, g2pk: pk, g2sk: sk, of: sk })),
        );
      const query = { pk, index: "g2", only: "keys" } as const;
      await eventually(async () => {
        const { items, cursor } = await store.query(query);
        expect(items).toEqual(names.map((sk) => ({ pk, sk: `of ${sk}`, g2pk: pk, g2sk: sk })));
        expect(cursor).toBeUndefined();
      });
      const { cursor = "" } = await store.query({ ...query, limit: 128 });
      expect((await everyItem(store, { ...query, cursor })).map(({ g2sk }) => g2sk)).toEqual(
        names.slice(128),
      );
    });

    it("follow an item that changes, moves, leaves, comes back and goes", async () => {
      await write([{ pk, sk: "i", g2pk: pk, g2sk: "1" }]);
      await write([{ pk, sk: "j", g2pk: pk, g2sk: "2" }]);
      await expectFound({}, ["i", "j"]);
      await store.transact([{ update: { pk, sk: "i" }, set: { g2pk: pk, g2sk: "3", n: 1 } }]);
      await expectFound({}, ["j", "i"]);
      await store.transact([{ update: { pk, sk: "i" }, remove: ["g2pk", "g2sk"] }]);
      await expectFound({}, ["j"]);
      await store.transact([{ put: { pk, sk: "i", g2pk: pk, g2sk: "0" } }]);
      await expectFound({}, ["i", "j"]);
      await store.transact([{ put: { pk, sk: "i" } }, { delete: { pk, sk: "j" } }]);
      await expectFound({}, []);
    });

    it.each([false, true])("page through items of one sort key (reverse: %s)", async (reverse) => {
      const names = Array.from({ length: 7 }, (_, n) => `${n}`);
      await write(names.map((sk) => ({ pk: `${pk}${sk}`, sk, g2pk: pk, g2sk: "same" })));
      await eventually(async () => {
        const paged = await found({ reverse, limit: 2, range: { from: "same", to: "same" } });
        expect(paged.toSorted()).toEqual(names);
      });
    });
  });
}
