import { beforeEach, describe, expect, it } from "vitest";
import {
  all,
  any,
  compare,
  eq,
  exists,
  has,
  type Item,
  type Write,
} from "../../../../core/kernel/store/store.ts";
import type { Subject } from "./contract.ts";

const kilobyte = 1024;

export function refusesMisuse(subject: Subject): void {
  describe("misuse", () => {
    let before: Item;
    let key: { pk: string; sk: string };
    beforeEach(async () => {
      key = { pk: subject.unique(), sk: "a" };
      before = { ...key, n: 1, s: "text", map: {}, g1pk: key.pk, g1sk: "1" };
      await subject.store().transact([{ put: before }]);
    });

    const refused: [string, () => Write[]][] = [
      ["more than 100 items", () => Array.from({ length: 101 }, (_, n) => put({ sk: `${n}` }))],
      ["an item named twice", () => [put({}), { check: key, if: exists }]],
      ["an empty sort key", () => [put({ sk: "" })]],
      ["a sort key of over 1024 bytes", () => [put({ sk: "é".repeat(513) })]],
      ["an item of over 400 KB", () => [put({ body: "x".repeat(400 * kilobyte) })]],
      ["an update to over 400 KB", () => [update({ set: grown() })]],
      ["an update of nothing", () => [update({})]],
      ["an update of the key", () => [update({ set: { sk: "b" } })]],
      ["an attribute named twice", () => [update({ set: { n: 2 }, add: { n: 1 } })]],
      ["an attribute with an empty name", () => [update({ set: { "": 1 } })]],
      ["a condition on an empty name", () => [update({ set: { n: 2 } }, has(""))]],
      ["an attribute of the store's own", () => [put({ packed1: 1 })]],
      ["an update of the store's own", () => [update({ remove: ["packed1"] })]],
      ["adding to a text", () => [update({ add: { s: 1 } })]],
      ["adding to a text in a transaction", () => [update({ add: { s: 1 } }), put({ sk: "b" })]],
      ["adding to a map", () => [update({ add: { map: 1 } })]],
      ["adding a fraction", () => [update({ add: { n: 0.1 } })]],
      ["a number that is none", () => [put({ n: Number.NaN })]],
      ["half an index in a put", () => [put({ g2pk: "x" })]],
      ["an empty index key", () => [put({ g2pk: "x", g2sk: "" })]],
      ["an index key that is a number", () => [put({ g2pk: "x", g2sk: 1 })]],
      ["setting half an index", () => [update({ set: { g1sk: "2" } })]],
      ["removing half an index", () => [update({ remove: ["g1sk"] })]],
      ["an order of booleans", () => [update({ set: { n: 2 } }, compare("n", "lt", true))]],
      ["a condition of nothing", () => [update({ set: { n: 2 } }, all(exists, any()))]],
    ];
    const put = (item: Partial<Item>): Write => ({ put: { ...key, ...item } as Item });
    const update = (change: object, when = exists): Write => ({ update: key, ...change, if: when });
    const grown = () => ({ one: "x".repeat(200 * kilobyte), two: "x".repeat(200 * kilobyte) });

    it.each(refused)("refuses %s, as Internal", async (_, writes) => {
      const store = subject.store();
      await expect(store.transact(writes())).rejects.toMatchObject({ kind: "Internal" });
      const { items } = await store.query({ pk: key.pk });
      expect(items).toEqual([before]);
    });

    it("says that a condition failed rather than that the write is wrong", async () => {
      const wrong = update({ add: { s: 1 } });
      const failing = { check: { ...key, sk: "b" }, if: exists };
      await expect(subject.store().transact([wrong, failing])).rejects.toMatchObject({
        reasons: [undefined, {}],
      });
      const guarded = update({ add: { s: 1 } }, eq("n", 2));
      await expect(subject.store().transact([guarded])).rejects.toMatchObject({
        reasons: [{ item: before }],
      });
    });

    it("takes an item of just under 400 KB", async () => {
      await subject.store().transact([put({ body: "x".repeat(399 * kilobyte) })]);
      expect(await subject.store().get(key)).toHaveProperty("body.length", 399 * kilobyte);
    });

    it("refuses a key that is empty", async () => {
      const store = subject.store();
      const empty = { pk: "", sk: "a" };
      await expect(store.get(empty)).rejects.toMatchObject({ kind: "Internal" });
      await expect(store.getMany([empty])).rejects.toMatchObject({ kind: "Internal" });
      await expect(store.query({ pk: "" })).rejects.toMatchObject({ kind: "Internal" });
    });

    it.each([0, -1, 1.5])("refuses a query limit of %d", async (limit) => {
      const query = subject.store().query({ pk: key.pk, limit });
      await expect(query).rejects.toMatchObject({ kind: "Internal" });
    });
  });
}
