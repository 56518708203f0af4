import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isKind } from "../../../../core/error.ts";
import { everyItem } from "../../../../core/kernel/store/pages.ts";
import {
  type Item,
  type Query,
  type Store,
  TransactionRefused,
  type Write,
  type WriteCondition,
} from "../../../../core/kernel/store/store.ts";
import { eventually } from "../../../support/eventually.ts";
import { tries } from "../../../support/seed.ts";
import type { Subject } from "./contract.ts";
import { compareBytes, Model } from "./model.ts";

// The last two sort the other way round by UTF-16.
const sortKeys = ["a", "ab", "b", "é", "\uffee", "😀"];
const partitions = ["p", "q"];

const value = fc.constantFrom<string | number | boolean>("", "x", "y", 0, 1, 2, true);
const attribute = fc.constantFrom("n", "s", "m", "m.x");
const comparable = fc.oneof(
  fc.record({ test: fc.constantFrom("eq", "ne"), attribute, value }),
  fc.record({
    test: fc.constantFrom("lt", "le", "gt", "ge"),
    attribute,
    value: fc.constantFrom<string | number>("x", "\uffee", "😀", 0, 1),
  }),
) as fc.Arbitrary<WriteCondition>;
const simple: fc.Arbitrary<WriteCondition> = fc.oneof(
  comparable,
  fc.constantFrom<WriteCondition>({ test: "exists" }, { test: "absent" }),
  fc.record({ test: fc.constantFrom("has", "lacks"), attribute }),
);
const condition: fc.Arbitrary<WriteCondition> = fc.oneof(
  simple,
  fc.record({
    test: fc.constantFrom("all", "any"),
    of: fc.array(simple, { minLength: 1, maxLength: 3 }),
  }),
);

const guard = fc.option(condition, { nil: undefined, freq: 2 });
const map = fc.oneof(
  fc.dictionary(fc.constantFrom("x", "y"), value, { maxKeys: 2 }),
  // Makes an item large, so that it may be kept in another form.
  fc.constantFrom({ x: "long ".repeat(300) }),
);
const score = fc.constantFrom("1", "2", "\uffee", "😀");

function arbitraryWrites(prefix: string): fc.Arbitrary<Write[]> {
  const key = fc.record({
    pk: fc.constantFrom(...partitions.map((name) => prefix + name)),
    sk: fc.constantFrom(...sortKeys),
  });
  const inIndex = fc.option(fc.record({ g1pk: fc.constant(`${prefix}g`), g1sk: score }), {
    nil: {},
  });
  const body = fc.record(
    { n: value, s: fc.constantFrom("x", "\uffee", "😀"), m: map },
    { requiredKeys: [] },
  );
  const put = fc.tuple(key, body, inIndex, guard).map(([at, members, index, when]) => ({
    put: { ...at, ...members, ...index } as Item,
    if: when,
  }));
  const changes = fc.oneof(
    fc.record({ set: fc.dictionary(fc.constantFrom("s", "m.x", "m"), value, { minKeys: 1 }) }),
    fc.record({ set: fc.record({ m: map }) }),
    fc.record({ set: inIndex.map((index) => ({ ...index, s: "moved" })) }),
    fc.constantFrom(
      { remove: ["g1pk", "g1sk"] },
      { remove: ["n", "m.x"] },
      { remove: ["m"] },
      { remove: ["m"], set: { n: 1 } },
      { set: { m: {} }, add: { n: 1 } },
      { add: { n: 2, other: -1 } },
    ),
  );
  const update = fc
    .tuple(key, changes, guard)
    .map(([at, change, when]) => ({ update: at, ...change, if: when }));
  const others = fc.oneof(
    fc.record({ delete: key, if: guard }),
    fc.record({ check: key, if: condition }),
  );
  const write = fc.oneof(
    { weight: 3, arbitrary: put },
    { weight: 3, arbitrary: update },
    { weight: 1, arbitrary: others },
  ) as fc.Arbitrary<Write>;
  const named = (each: Write) =>
    JSON.stringify(
      "put" in each
        ? [each.put.pk, each.put.sk]
        : Object.values(
            "update" in each ? each.update : "delete" in each ? each.delete : each.check,
          ),
    );
  return fc.uniqueArray(write, { minLength: 1, maxLength: 4, selector: named });
}

async function outcome(store: Store, writes: Write[]) {
  try {
    await store.transact(writes);
    return "done";
  } catch (error) {
    if (error instanceof TransactionRefused) return error.reasons;
    if (isKind(error, "Internal")) return "misuse";
    throw error;
  }
}

function expected(model: Model, writes: Write[]) {
  const result = model.transact(structuredClone(writes));
  return result instanceof TransactionRefused ? result.reasons : result;
}

/** What a query over all items of the model answers, in the order of the sort key. */
function answer(model: Model, { pk, index, range = {}, reverse }: Query): Item[] {
  const sk = (item: Item) => String(item[`${index ?? ""}sk`]);
  const matches = (item: Item) => {
    if (item[`${index ?? ""}pk`] !== pk) return false;
    if ("prefix" in range) return sk(item).startsWith(range.prefix);
    if (range.from !== undefined && compareBytes(sk(item), range.from) < 0) return false;
    return range.to === undefined || compareBytes(sk(item), range.to) <= 0;
  };
  const sorted = [...model.items.values()]
    .filter(matches)
    .sort((a, b) => compareBytes(sk(a), sk(b)));
  return reverse ? sorted.reverse() : sorted;
}

const byKey = (items: Item[]) => items.map((item) => JSON.stringify([item.pk, item.sk])).sort();

export function agreesWithModel(subject: Subject, runs: number): void {
  it("does to random writes what a map does", async () => {
    const store = subject.store();
    const prefix = subject.unique();
    const transactions = fc.array(arbitraryWrites(prefix), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(transactions, async (run) => {
        const model = new Model();
        for (const name of partitions) await empty(store, prefix + name);
        for (const writes of run) {
          expect(await outcome(store, writes)).toEqual(expected(model, writes));
        }
        await expectQueries(store, model, prefix);
      }),
      tries(runs),
    );
  });
}

async function empty(store: Store, pk: string): Promise<void> {
  for (const item of await everyItem(store, { pk })) await store.transact([{ delete: item }]);
}

async function expectQueries(store: Store, model: Model, prefix: string): Promise<void> {
  for (const reverse of [false, true]) {
    for (const limit of [undefined, 1, 2]) {
      for (const range of [undefined, { prefix: "a" }, { from: "ab", to: "\uffee" }]) {
        for (const name of partitions) {
          const query = { pk: prefix + name, reverse, limit, range };
          expect(await everyItem(store, query)).toEqual(answer(model, query));
        }
      }
      const query = { pk: `${prefix}g`, index: "g1" as const, reverse, limit };
      await eventually(async () => {
        const items = await everyItem(store, query);
        expect(byKey(items)).toEqual(byKey(answer(model, query)));
        // Items of the same sort key come in any order.
        const scores = (some: Item[]) => some.map((item) => item.g1sk);
        expect(scores(items)).toEqual(scores(answer(model, query)));
      });
    }
  }
}
