import { AsyncLocalStorage } from "node:async_hooks";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import type { StreamRecord } from "../../core/kernel/store/store.ts";
import { silent } from "../../core/log.ts";
import { readStream } from "../../local/stream.ts";
import { eventually } from "../support/eventually.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

function setUp() {
  const store = openSqliteStore(":memory:");
  onTestFinished(() => store.close());
  const clock = new VirtualClock();
  const write = (pk: string) => store.transact([{ put: { pk, sk: "-" } }]);
  const read = (
    handle: (record: StreamRecord) => Promise<void>,
    isWanted = (_: { pk: string }) => true,
  ) => {
    const reader = readStream({ store, clock, log: silent, isWanted }, handle);
    onTestFinished(() => reader.stop());
    return reader;
  };
  return { store, clock, write, read };
}

it("hands on every record in order, and keeps none that was handled but the last", async () => {
  const { store, write, read } = setUp();
  await write("a");
  const seen: string[] = [];
  const reader = read(async ({ key }) => void seen.push(key.pk));
  await write("b");
  await write("c");
  await eventually(() => expect(seen).toEqual(["a", "b", "c"]));
  await reader.drained();
  expect(store.stream(undefined, 10).map(({ key }) => key.pk)).toEqual(["c"]);
});

it("hands on with the rights of who started it, not of who wrote", async () => {
  const { write, read } = setUp();
  const rights = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const reader = rights.run("reader", () => read(async () => void seen.push(rights.getStore())));
  await rights.run("writer", () => write("a"));
  await eventually(() => expect(seen).toEqual(["reader"]));
  await reader.drained();
});

it("goes on where an earlier reader was", async () => {
  const { write, read } = setUp();
  await write("a");
  const first = read(async () => {});
  await first.drained();
  await first.stop();
  await write("b");
  const seen: string[] = [];
  await read(async ({ key }) => void seen.push(key.pk)).drained();
  expect(seen).toEqual(["b"]);
});

it("passes by what is not wanted, and does not come to it again", async () => {
  const { store, write, read } = setUp();
  for (const pk of ["a", "b"]) await write(pk);
  for (const pk of ["a", "b"]) await store.transact([{ put: { pk, sk: "-", second: true } }]);
  const seen: StreamRecord[] = [];
  await read(
    async (record) => void seen.push(record),
    ({ pk }) => pk === "a",
  ).drained();
  expect(seen.map(({ after }) => after)).toEqual([
    { pk: "a", sk: "-" },
    { pk: "a", sk: "-", second: true },
  ]);
  expect(store.hasNews(store.setting("relay"))).toBe(false);
  await write("b");
  expect(store.hasNews(store.setting("relay"))).toBe(true);
});

it("tries a record again, and sets one aside that cannot be handled", async () => {
  const { store, clock, write, read } = setUp();
  await write("bad");
  await write("good");
  const seen: string[] = [];
  const reader = read(async ({ key }) => {
    seen.push(key.pk);
    if (key.pk === "bad") throw new Error("cannot");
  });
  for (let n = 0; n < 20; n++) await clock.advance(1000);
  await reader.drained();
  expect(seen).toEqual([...Array(20).fill("bad"), "good"]);
  expect(store.setting("dead-letter#1")).toBe('{"pk":"bad","sk":"-"}');
});

it("stops although a record waits to be tried again", async () => {
  const { write, read } = setUp();
  await write("bad");
  let tries = 0;
  const reader = read(async () => {
    tries += 1;
    throw new Error("cannot");
  });
  await eventually(() => expect(tries).toBe(1));
  await reader.stop();
});
