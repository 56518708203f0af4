import { expect, it } from "vitest";
import { batched } from "../../../../core/kernel/store/batched.ts";
import { ReadAhead } from "../../../../core/kernel/store/read-ahead.ts";
import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import { inRounds } from "../../../support/rounds.ts";

const key = (name: string) => ({ pk: name, sk: "-" });
const item = (name: string, n: number) => ({ ...key(name), n });

async function opened(...names: string[]) {
  const store = openSqliteStore(":memory:");
  await store.transact(names.map((name) => ({ put: item(name, 1) })));
  const { rounds, store: asked } = inRounds({ store });
  return { store, rounds, request: new ReadAhead(batched(asked)) };
}

it("asks in one call for what is asked for in the same moment, and answers each what is its own", async () => {
  const { request, rounds } = await opened("a", "b");
  const found = await Promise.all([
    request.get(key("a")),
    request.get(key("none")),
    request.getMany([key("b"), key("a")]),
  ]);
  expect(found).toEqual([item("a", 1), undefined, [item("b", 1), item("a", 1)]]);
  expect(rounds).toEqual([["getMany a none b a"]]);
});

it("asks for nothing when nothing is asked for", async () => {
  const { request, rounds } = await opened();
  expect(await request.getMany([])).toEqual([]);
  expect(rounds).toEqual([]);
});

it("answers the first who asks with what was begun ahead, and the next anew", async () => {
  const { store, request, rounds } = await opened("a");
  void request.ahead([key("a"), key("a")]);
  await request.get(key("none"));
  await store.transact([{ put: item("a", 2) }]);
  expect(await request.get(key("a"))).toEqual(item("a", 1));
  expect(await request.get(key("a"))).toEqual(item("a", 2));
  expect(rounds).toEqual([["getMany a none"], ["get a"]]);
});

it("begins what must not be older than another read after that", async () => {
  const { request, rounds } = await opened("a", "b");
  const first = request.ahead([key("a")]);
  void request.ahead([key("b")], first);
  expect(await request.getMany([key("b"), key("a")])).toEqual([item("b", 1), item("a", 1)]);
  expect(rounds).toEqual([["get a"], ["get b"]]);
});

it("answers after a write with what is there then", async () => {
  const { request } = await opened("a");
  void request.ahead([key("a")]);
  await request.transact([{ put: item("a", 2) }]);
  expect(await request.get(key("a"))).toEqual(item("a", 2));
});

it("refuses a key that is none, and no other with it", async () => {
  const { request } = await opened("a");
  // Nobody asks for it: nothing fails.
  void request.ahead([key("")]);
  await request.transact([]);
  const [bad, good] = await Promise.allSettled([request.get(key("")), request.get(key("a"))]);
  expect(bad).toMatchObject({ status: "rejected", reason: { kind: "Internal" } });
  expect(good).toMatchObject({ status: "fulfilled", value: item("a", 1) });
});

it("tells all of a moment that the store is unreachable", async () => {
  const { store } = inRounds({ store: openSqliteStore(":memory:") });
  const away = async () => Promise.reject(new Error("away"));
  const request = batched({ ...store, getMany: away });
  const asked = await Promise.allSettled([request.get(key("a")), request.get(key("b"))]);
  expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

it("answers nothing to those who only begin, and the first who asks the same query with what they began", async () => {
  const { store, request, rounds } = await opened("a");
  let isAnswered = false;
  const early = request.unanswering();
  for (const read of [early.query({ pk: "a" }), early.count({ pk: "a" }), early.get(key("a"))])
    void read.then(() => {
      isAnswered = true;
    });
  void early.transact([{ put: item("a", 3) }]);
  const other = await request.query({ pk: "b" });
  await store.transact([{ put: item("a", 2) }]);
  expect([other.items, isAnswered]).toEqual([[], false]);
  expect((await request.query({ pk: "a", limit: 1 })).items).toEqual([item("a", 2)]);
  expect((await request.query({ pk: "a" })).items).toEqual([item("a", 1)]);
  expect((await request.query({ pk: "a" })).items).toEqual([item("a", 2)]);
  expect((await request.count({ pk: "a" })).count).toBe(1);
  expect(rounds).toHaveLength(3);
});
