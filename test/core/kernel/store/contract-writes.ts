import { beforeEach, describe, expect, it } from "vitest";
import {
  absent,
  all,
  any,
  compare,
  eq,
  exists,
  has,
  type Item,
  lacks,
  type Store,
  TransactionRefused,
  type WriteCondition,
} from "../../../../core/kernel/store/store.ts";
import type { Subject } from "./contract.ts";

export function makesWrites(subject: Subject): void {
  let store: Store;
  let pk: string;
  beforeEach(() => {
    store = subject.store();
    pk = subject.unique();
  });
  const key = (sk: string) => ({ pk, sk });
  const refusal = async (promise: Promise<void>) => {
    const error = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(TransactionRefused);
    return error instanceof TransactionRefused ? error.reasons : [];
  };

  describe("reading", () => {
    it("answers every kind of value as it was put", async () => {
      const item: Item = {
        ...key("a"),
        text: "Grüße 😀",
        empty: "",
        numbers: [0, -1, 1.5, Number.MAX_SAFE_INTEGER],
        flags: [true, false, null],
        deep: { list: [{ map: {} }, []], "odd.name": 1, select: "a reserved word" },
        hostile: { constructor: { name: "Set" }, S: "x", NULL: true, M: {} },
      };
      await store.transact([{ put: item }]);
      expect(await store.get(key("a"))).toEqual(item);
    });

    it("gives undefined for what is absent", async () => {
      expect(await store.get(key("nothing"))).toBeUndefined();
    });

    it("gives items that nobody changes for others", async () => {
      const item = { ...key("a"), tags: ["one"] };
      await store.transact([{ put: item }]);
      const [left, right] = await store.getMany([key("a"), key("a")]);
      for (const tags of [item.tags, left?.tags]) tryToAdd(tags, "changed");
      expect(right).toEqual({ ...key("a"), tags: ["one"] });
      expect(await store.get(key("a"))).toEqual({ ...key("a"), tags: ["one"] });
    });

    it("keeps no minus zero, and leaves the caller's object to the caller", async () => {
      const item = { ...key("a"), none: -0, deep: { none: [-0] } };
      await store.transact([{ put: item }]);
      const set = { later: { none: -0 } };
      await store.transact([{ put: { ...key("b"), sum: -1 } }]);
      await store.transact([{ update: key("b"), set }]);
      item.deep.none.push(1);
      set.later.none = 1;
      expect(await store.get(key("a"))).toStrictEqual({
        ...key("a"),
        none: 0,
        deep: { none: [0] },
      });
      expect(await store.get(key("b"))).toStrictEqual({ ...key("b"), sum: -1, later: { none: 0 } });
    });

    it("answers any number of keys in the order asked", async () => {
      const keys = Array.from({ length: 230 }, (_, n) => key(`${n}`));
      for (const start of [0, 100, 200]) {
        const some = keys.slice(start, start + 100).filter((_, n) => n % 3 > 0);
        await store.transact(some.map((each) => ({ put: { ...each, of: each.sk } })));
      }
      const asked = [...keys.toReversed(), key("1"), key("nothing")];
      const found = await store.getMany(asked);
      expect(found.map((item) => item?.of)).toEqual(
        asked.map(({ sk }) => (sk !== "nothing" && (Number(sk) % 100) % 3 > 0 ? sk : undefined)),
      );
      expect(await store.getMany([])).toEqual([]);
    });
  });

  describe("writing", () => {
    it("replaces the whole item in a put", async () => {
      await store.transact([{ put: { ...key("a"), old: 1 } }]);
      await store.transact([{ put: { ...key("a"), new: 2 } }]);
      expect(await store.get(key("a"))).toEqual({ ...key("a"), new: 2 });
    });

    it("makes the item of an update when it is absent", async () => {
      await store.transact([{ update: key("a"), set: { x: 1 }, add: { count: 3 } }]);
      expect(await store.get(key("a"))).toEqual({ ...key("a"), x: 1, count: 3 });
    });

    it("changes only what an update names", async () => {
      const before = { steps: { One: "RUNNING" }, map: { a: 1 }, count: 5, gone: true, kept: [1] };
      await store.transact([{ put: { ...key("a"), ...before } }]);
      await store.transact([
        {
          update: key("a"),
          set: { steps: { Two: {} }, status: "x", "steps.One": "a name like any other" },
          remove: ["map", "gone", "never"],
          add: { count: -2 },
        },
      ]);
      expect(await store.get(key("a"))).toEqual({
        ...key("a"),
        steps: { Two: {} },
        "steps.One": "a name like any other",
        count: 3,
        kept: [1],
        status: "x",
      });
    });

    it("takes names that are reserved words or members of every object", async () => {
      await store.transact([{ put: { ...key("a"), name: "n", status: "s" } }]);
      const absentNames = all(lacks("constructor"), lacks("toString"));
      const set = { size: 1, constructor: "a", toString: "b" };
      await store.transact([
        { update: key("a"), set, if: all(absentNames, eq("name", "n"), eq("status", "s")) },
      ]);
      const item = await store.get(key("a"));
      expect(item).toEqual({ ...key("a"), name: "n", status: "s", ...set });
    });

    it("deletes, also what is not there", async () => {
      await store.transact([{ put: key("a") }]);
      await store.transact([{ delete: key("a") }, { delete: key("b") }]);
      expect(await store.getMany([key("a"), key("b")])).toEqual([undefined, undefined]);
    });

    it("takes a whole item where a key is asked", async () => {
      const item = { ...key("a"), n: 1 };
      await store.transact([{ put: item }]);
      await store.transact([{ check: item, if: exists }]);
      await store.transact([{ update: item, set: { m: 2 } }]);
      expect(await store.get(item)).toEqual({ ...item, m: 2 });
      await store.transact([{ delete: item }]);
      expect(await store.getMany([item])).toEqual([undefined]);
    });

    it("does nothing for no writes", async () => {
      await expect(store.transact([])).resolves.toBeUndefined();
    });

    it("takes 100 items in one transaction", async () => {
      const keys = Array.from({ length: 100 }, (_, n) => key(`${n}`));
      await store.transact(keys.map((each) => ({ put: each, if: absent })));
      expect(await store.getMany(keys)).toEqual(keys);
    });
  });

  describe("conditions", () => {
    const item = {
      n: 5,
      s: "é",
      wide: "\uffee",
      flag: false,
      nothing: null,
      map: { x: { y: "z" } },
      list: [1],
    };
    const holding: WriteCondition[] = [
      exists,
      has("map"),
      has("nothing"),
      lacks("map.x"),
      lacks("s.x"),
      lacks("list.0"),
      eq("n", 5),
      eq("flag", false),
      compare("map", "ne", "z"),
      compare("missing", "ne", 1),
      compare("n", "ne", "5"),
      compare("n", "lt", 5.5),
      compare("n", "ge", 5),
      compare("s", "gt", "zz"),
      compare("s", "le", "é"),
      compare("wide", "lt", "😀"),
      all(exists, any(eq("n", 6), has("s")), lacks("missing")),
    ];
    const failing: WriteCondition[] = [
      absent,
      has("missing"),
      has("map.x"),
      lacks("s"),
      lacks("map"),
      compare("map", "lt", "z"),
      eq("missing", 1),
      eq("n", "5"),
      eq("nothing", ""),
      eq("map", "x"),
      compare("n", "ne", 5),
      compare("n", "lt", "9"),
      compare("missing", "lt", 9),
      compare("missing", "ge", 0),
      compare("n", "gt", 5),
      compare("s", "lt", "zz"),
      compare("wide", "ge", "😀"),
      all(exists, eq("n", 6)),
      any(absent, eq("n", 6)),
    ];
    const label = (condition: WriteCondition) => JSON.stringify(condition);

    it.each(holding.map((condition) => [label(condition), condition] as const))(
      "%s holds",
      async (_, condition) => {
        await store.transact([{ put: { ...key("a"), ...item } }]);
        await store.transact([{ update: key("a"), set: { written: true }, if: condition }]);
        await store.transact([{ check: key("a"), if: condition }]);
        expect(await store.get(key("a"))).toEqual({ ...key("a"), ...item, written: true });
      },
    );

    it.each(failing.map((condition) => [label(condition), condition] as const))(
      "%s does not hold",
      async (_, condition) => {
        const stored = { ...key("a"), ...item };
        await store.transact([{ put: stored }]);
        const writes = [
          { put: key("a"), if: condition },
          { update: key("a"), set: { written: true }, if: condition },
          { update: key("a"), add: { written: 1 }, if: condition },
          { delete: key("a"), if: condition },
          { check: key("a"), if: condition },
        ];
        for (const write of writes) {
          expect(await refusal(store.transact([write]))).toEqual([{ item: stored }]);
        }
        expect(await store.get(key("a"))).toEqual(stored);
      },
    );

    it("refuses without an item when there is none", async () => {
      const update = { update: key("a"), set: { x: 1 }, if: exists };
      expect(await refusal(store.transact([update]))).toEqual([{}]);
      expect(await refusal(store.transact([{ check: key("a"), if: has("x") }]))).toEqual([{}]);
      expect(await store.get(key("a"))).toBeUndefined();
    });

    it("writes all or nothing, and says which conditions failed", async () => {
      await store.transact([{ put: { ...key("b"), n: 1 } }]);
      const writes = [
        { put: key("a"), if: absent },
        { update: key("b"), set: { n: 2 }, if: eq("n", 7) },
        { delete: key("c") },
        { check: key("d"), if: exists },
      ];
      const reasons = await refusal(store.transact(writes));
      expect(reasons).toEqual([undefined, { item: { ...key("b"), n: 1 } }, undefined, {}]);
      expect(await store.getMany([key("a"), key("b")])).toEqual([undefined, { ...key("b"), n: 1 }]);
    });
  });

  describe("many writers", () => {
    it("lets exactly one of 50 claims win", async () => {
      await store.transact([{ put: { ...key("host"), g1pk: pk, g1sk: "free" } }]);
      const claims = await Promise.allSettled(
        Array.from({ length: 50 }, (_, n) =>
          store.transact([
            {
              update: key("host"),
              set: { owner: n },
              remove: ["g1pk", "g1sk"],
              if: all(exists, lacks("owner")),
            },
            { put: { ...key(`claim-${n}`) } },
          ]),
        ),
      );
      const winners = claims.flatMap(({ status }, n) => (status === "fulfilled" ? [n] : []));
      expect(winners).toHaveLength(1);
      const [winner = -1] = winners;
      const loser = claims.find(({ status }) => status === "rejected");
      expect(loser).toMatchObject({
        reason: { reasons: [{ item: { owner: winner } }, undefined] },
      });
      expect(await store.get(key("host"))).toEqual({ ...key("host"), owner: winner });
      const { items } = await store.query({ pk, range: { prefix: "claim-" } });
      expect(items).toEqual([key(`claim-${winner}`)]);
    });

    it("adds up what all of them add", async () => {
      await Promise.all(
        Array.from({ length: 50 }, () => store.transact([{ update: key("n"), add: { n: 2 } }])),
      );
      expect(await store.get(key("n"))).toEqual({ ...key("n"), n: 100 });
    });
  });
}

/** A store that shares its items has frozen them. */
function tryToAdd(list: unknown, member: string): void {
  try {
    if (Array.isArray(list)) list.push(member);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
  }
}
