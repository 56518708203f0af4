import { expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import type { Store } from "../../../../core/kernel/store/store.ts";
import { editCursor, newCursor } from "../../../../core/resources/webhook/cursor.ts";
import { WebhookSender } from "../../../../core/resources/webhook/send.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";

/** The places of one sender. What is sent is in deliver.test.ts; here nothing is. */

interface Due {
  tenant: string;
  webhook: string;
  isFailing?: boolean;
}

/** A sender whose deliveries stay under way until they are let go, and those that have begun. */
async function sending(due: Due[]) {
  const deps: TestDeps = testDeps();
  const first_time = "2026-01-01T00:00:00.000Z";
  const trying = { position: "1", delivery: 1, tries: 1, first_time };
  for (const { tenant, webhook, isFailing = false } of due) {
    await deps.store.transact([newCursor(tenant, webhook, "0")]);
    await editCursor(deps, { tenant, webhook }, (cursor) => ({
      cursor: { ...cursor, due: deps.clock.now(), ...(isFailing && { trying }) },
    }));
  }
  const begun = new Set<string>();
  const gates = new Map<string, () => void>();
  const { store } = deps;
  const slow: Store = {
    async get(key) {
      if (key.pk.startsWith("webhook#")) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const webhook = key.pk.slice("webhook#".length);
        begun.add(webhook);
        gates.set(webhook, resolve);
        await promise;
        gates.delete(webhook);
      }
      return store.get(key);
    },
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    count: (query) => store.count(query),
    transact: (writes) => store.transact(writes),
  };
  const sender = new WebhookSender({ ...deps, store: slow });
  return {
    sender,
    begun: () => [...begun].toSorted(),
    /** Ends those under way, and those that begin meanwhile. */
    async letGo() {
      let isIdle = false;
      const idle = sender.idle().then(() => {
        isIdle = true;
      });
      while (!isIdle) {
        for (const open of gates.values()) open();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await idle;
    },
  };
}

const webhooks = (count: number, of: (n: number) => Omit<Due, "webhook">, name = "w"): Due[] =>
  Array.from({ length: count }, (_, n) => ({ webhook: `${name}-${n}`, ...of(n) }));
const own = (name: string) => (n: number) => ({ tenant: `${name}-${n}` });
const failing = (name: string) => (n: number) => ({ tenant: `${name}-${n}`, isFailing: true });

it.each([
  ["40 at a time", webhooks(45, own("t")), 40],
  ["4 of one tenant", webhooks(6, () => ({ tenant: "t" })), 4],
  ["20 whose last try failed", webhooks(25, failing("t")), 20],
  ["4 of one tenant although all fail", webhooks(6, () => ({ tenant: "t", isFailing: true })), 4],
])("a sender sends to %s, and to others when these are done", async (_, due, places) => {
  const { sender, begun, letGo } = await sending(due);
  expect(await sender.run()).toBe(places);
  expect(await sender.run()).toBe(0);
  await letGo();
  expect(begun()).toHaveLength(places);
  expect(await sender.run()).toBe(due.length - places);
  await letGo();
  expect(begun()).toEqual(due.map(({ webhook }) => webhook).toSorted());
});

it("a tenant that fills its places leaves the others theirs", async () => {
  const { sender, begun, letGo } = await sending([
    ...webhooks(20, () => ({ tenant: "greedy" }), "a"),
    ...webhooks(5, own("t"), "z"),
  ]);
  expect(await sender.run()).toBe(9);
  await letGo();
  expect(begun().filter((name) => name.startsWith("z"))).toHaveLength(5);
});

it("receivers that fail leave half of the places to those that do not", async () => {
  const { sender, begun, letGo } = await sending([
    ...webhooks(30, failing("f"), "a"),
    ...webhooks(20, own("t"), "z"),
  ]);
  expect(await sender.run()).toBe(40);
  await letGo();
  expect(begun().filter((name) => name.startsWith("z"))).toHaveLength(20);
});

it("a webhook that is under way is not begun again", async () => {
  const { sender, letGo } = await sending(webhooks(3, own("t")));
  expect([await sender.run(), await sender.run()]).toEqual([3, 0]);
  await letGo();
});

it("a sender that was stopped begins nothing more", async () => {
  const { sender, letGo, begun } = await sending(webhooks(3, own("t")));
  sender.stop();
  expect(await sender.run()).toBe(0);
  await letGo();
  expect(begun()).toEqual([]);
});

it("a webhook whose delivery broke off is begun again after a pause, however often it is found due", async () => {
  const deps: TestDeps = testDeps();
  const { store } = deps;
  await store.transact([newCursor("a", "hook", "0")]);
  await editCursor(deps, { tenant: "a", webhook: "hook" }, (cursor) => ({
    cursor: { ...cursor, due: deps.clock.now() },
  }));
  let begun = 0;
  const broken: Store = {
    async get(key) {
      if (!key.pk.startsWith("webhook#")) return store.get(key);
      begun += 1;
      throw new AppError("Internal", "no one knows why");
    },
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    count: (query) => store.count(query),
    transact: (writes) => store.transact(writes),
  };
  const sender = new WebhookSender({ ...deps, store: broken });
  const run = async () => {
    await sender.run();
    await sender.idle();
  };
  // The release of its lease has the relay find it due at once.
  for (let n = 0; n < 5; n++) await run();
  expect(begun).toBe(1);
  await deps.clock.advance(5_000);
  for (let n = 0; n < 5; n++) await run();
  expect(begun).toBe(2);
});
