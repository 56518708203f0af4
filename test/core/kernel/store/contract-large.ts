import { beforeEach, describe, expect, it } from "vitest";
import {
  all,
  compare,
  eq,
  has,
  type Item,
  lacks,
  type Store,
} from "../../../../core/kernel/store/store.ts";
import { eventually } from "../../../support/eventually.ts";
import type { Subject } from "./contract.ts";

const kilobyte = 1024;

/** Texts that take as much space packed as they do plain. */
const random = (bytes: number): string[] =>
  Array.from({ length: bytes / 64 }, () => crypto.randomUUID() + crypto.randomUUID().slice(8));

/** Items of more than a kilobyte, which an adapter may keep in another form. */
export function keepsLargeItems(subject: Subject): void {
  describe("large items", () => {
    let store: Store;
    let key: { pk: string; sk: string };
    beforeEach(() => {
      store = subject.store();
      key = { pk: subject.unique(), sk: "a" };
    });

    const text = "what is repeated takes little space; ".repeat(60);
    const large = {
      text,
      number: 7,
      nested: {
        text,
        unicode: "Grüße 😀 \u0000 \ud7ff \u2028",
        numbers: [0, -1, 1.5, 1e-7, Number.MAX_SAFE_INTEGER],
        others: [true, false, null, "", {}, []],
        "odd.name": { "": "an empty name" },
        hostile: JSON.parse('{"__proto__": {"a": 1}, "constructor": {"name": "Set"}}'),
        types: { S: "x", N: "1", B: "eA==", NULL: true, M: {} },
      },
      list: [text, [text]],
      empty: {},
      nothing: null,
    };

    it("are answered as they were put", async () => {
      const item: Item = { ...key, ...large };
      await store.transact([{ put: item }]);
      expect(JSON.stringify((await store.get(key))?.nested)).toBe(JSON.stringify(item.nested));
      expect(await store.get(key)).toEqual(item);
      expect(await store.getMany([key])).toEqual([item]);
      expect((await store.query({ pk: key.pk })).items).toEqual([item]);
    });

    it("grow and shrink", async () => {
      for (const times of [1, 30, 31, 2, 1000, 0]) {
        const item = { ...key, nested: { text: "some text ".repeat(times), times } };
        await store.transact([{ put: item }]);
        expect(await store.get(key)).toEqual(item);
      }
    });

    it("are found in an index, and leave it", async () => {
      const index = { g1pk: `${key.pk}g`, g1sk: "s" };
      const item = { ...key, ...large, ...index };
      await store.transact([{ put: item }]);
      await eventually(async () => {
        const { items } = await store.query({ pk: index.g1pk, index: "g1" });
        expect(items).toEqual([item]);
      });
      await store.transact([{ update: key, remove: ["g1pk", "g1sk"] }]);
      expect(await store.get(key)).toEqual({ ...key, ...large });
    });

    const holding = all(
      eq("number", 7),
      has("nested"),
      has("empty"),
      has("nothing"),
      lacks("missing"),
      compare("nested", "ne", "x"),
      compare("list", "ne", 1),
      compare("text", "ge", "what"),
    );
    const failing = [
      lacks("nested"),
      lacks("list"),
      lacks("empty"),
      eq("nested", ""),
      eq("number", 8),
    ];

    it("take conditions on what is at their top", async () => {
      const item = { ...key, ...large };
      await store.transact([{ put: item }]);
      await store.transact([{ check: key, if: holding }]);
      for (const condition of failing) {
        const refused = { reasons: [{ item }] };
        const writes = [
          { check: key, if: condition },
          { delete: key, if: condition },
          { put: key, if: condition },
        ];
        for (const write of writes)
          await expect(store.transact([write])).rejects.toMatchObject(refused);
      }
      const other = { put: { ...key, sk: "b" } };
      const refused = { reasons: [undefined, { item }] };
      const check = { check: key, if: eq("number", 8) };
      await expect(store.transact([other, check])).rejects.toMatchObject(refused);
    });

    it.each(["lt", "ge"] as const)(
      "are neither above nor below anything in a map",
      async (test) => {
        await store.transact([{ put: { ...key, ...large } }]);
        const check = { check: key, if: compare("nested", test, "x") };
        await expect(store.transact([check])).rejects.toMatchObject({ reasons: [{}] });
      },
    );

    it("are updated, each attribute alone", async () => {
      await store.transact([{ put: { ...key, ...large } }]);
      const set = { list: { now: "a map" }, nothing: { new: [text] } };
      const remove = ["nested"];
      await store.transact([{ update: key, set, remove, add: { number: 1 }, if: holding }]);
      const { nested: _, ...rest } = large;
      const updated: Item = { ...key, ...rest, ...set, number: 8 };
      expect(await store.get(key)).toEqual(updated);
      await store.transact([{ check: key, if: all(lacks("nested"), has("empty")) }]);
      await store.transact([{ update: key, set: { nested: null, empty: 1 } }]);
      expect(await store.get(key)).toEqual({ ...updated, nested: null, empty: 1 });
      await store.transact([{ put: { ...updated, number: 9 }, if: eq("number", 8) }]);
      expect(await store.get(key)).toEqual({ ...updated, number: 9 });
    });

    it("may have more than 400 KB in maps and lists, where that takes less in the table", async () => {
      const item = { ...key, nested: { text: text.repeat(400) } };
      expect(item.nested.text.length).toBeGreaterThan(800 * kilobyte);
      await store.transact([{ put: item }]);
      expect(await store.get(key)).toEqual(item);
    });

    it("have 400 KB in the table at most", async () => {
      const fitting = { ...key, nested: random(300 * kilobyte) };
      await store.transact([{ put: fitting }]);
      const put = { ...key, nested: random(900 * kilobyte) };
      await expect(store.transact([{ put }])).rejects.toMatchObject({ kind: "Internal" });
      expect(await store.get(key)).toEqual(fitting);
    });
  });
}
