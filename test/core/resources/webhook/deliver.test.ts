import { beforeEach, describe, expect, it } from "vitest";
import { hours, seconds, timestamp } from "../../../../core/clock.ts";
import type { Event } from "../../../../core/kernel/events/events.ts";
import { packedEvent } from "../../../../core/kernel/events/log-entry.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import {
  logCountKey,
  logKey,
  webhookCursorKey,
  webhookDeliveryKey,
} from "../../../../core/kernel/object/keys.ts";
import { relay } from "../../../../core/kernel/relay/relay.ts";
import type { Query, Store } from "../../../../core/kernel/store/store.ts";
import { wakeWebhooks } from "../../../../core/resources/webhook/cursor.ts";
import { deliverDue } from "../../../../core/resources/webhook/deliver.ts";
import { sagas } from "../../../../statemachines/index.ts";
import { type Api, catalogApi, v1 } from "../../../support/api.ts";
import { testDeps } from "../../../support/deps.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

/**
 * One webhook that meets itself: its owner, a second sender and the writers of the log come while an
 * event is on its way.
 */

const tenant = "tenant-b";
const url = "https://receiver.example.com/events";
const type = (what: string) => `slipway.${what}.created.v1`;

let api: Api;
let id: string;
/** Real time, by which leases end. */
let wall: VirtualClock;
let relayed: string | undefined;
let last: number;

beforeEach(async () => {
  wall = new VirtualClock();
  api = await catalogApi(testDeps({ wall }));
  const spec = { url, event_types: ["slipway.cluster.*"] };
  const made = await api.ask("bob", "POST", `${v1}/webhooks`, { metadata: { name: "w" }, spec });
  id = made.body.id;
  relayed = undefined;
  await relayAll();
  await deliver();
  last = Number((await api.deps.store.get(logCountKey(tenant)))?.last);
});

async function relayAll() {
  for (const record of api.deps.store.stream(relayed, 10_000)) {
    await relay(api.deps, sagas, record);
    relayed = record.sequence;
  }
}

const eventOf = (name: string, what: string): Event => ({
  specversion: "1.0",
  id: name,
  source: "slipway",
  type: type(what),
  subject: `clusters/${name}`,
  time: timestamp(api.deps.clock.now()),
  tenant,
  sequence: 1,
  datacontenttype: "application/json",
  data: { object: {}, changed: [] },
});

/** Puts events into the tenant's log, as their writers do. */
async function log(names: string[], what = "cluster") {
  for (let n = 0; n < names.length; n += 50) {
    const entries = names.slice(n, n + 50).map((name) => {
      last += 1;
      const event = packedEvent(eventOf(name, what));
      return { put: { ...logKey(tenant, last), position: last, event } };
    });
    await api.deps.store.transact([{ put: { ...logCountKey(tenant), last } }, ...entries]);
  }
  await wakeWebhooks(api.deps, tenant);
}

const deliver = (store: Store = api.deps.store) =>
  deliverDue({ ...api.deps, store }, { tenant, webhook: id });
const sent = () => api.deps.posts.map(({ headers }) => headers["webhook-id"]);
const cursor = async () => (await api.deps.store.get(webhookCursorKey(tenant, id)))?.cursor;
const ask = (method: string, path: string, body?: object) =>
  api.ask("bob", method, `${v1}/webhooks/${id}${path}`, body);
const deliveries = async () => (await ask("GET", "/deliveries")).body.items;

/** Answers each post as it is told, the last one again and again. */
function answering(...answers: (number | (() => Promise<number>))[]) {
  let n = 0;
  api.deps.receive = async () => {
    const answer = answers[Math.min(n++, answers.length - 1)] ?? 200;
    return { status: typeof answer === "number" ? answer : await answer(), text: "" };
  };
}

/** Delivers all that is due, and lets this much time pass between. */
async function deliverFor(ms: number) {
  await relayAll();
  await deliver();
  await api.deps.clock.advance(ms);
  await relayAll();
  await deliver();
}

describe("a replay that is asked for during a delivery", () => {
  it.each([
    ["from an earlier event", 0, ["a", "b", "a", "b", "c"]],
    ["from the event that is out", 1, ["a", "b", "b", "c"]],
    ["from a later event", 2, ["a", "b", "c"]],
  ])("%s is not lost", async (_, from, order) => {
    const first = last + 1;
    await log(["a", "b", "c"]);
    const replay = async () => {
      const { status } = await ask("POST", "/replay", { position: first + from });
      expect(status).toBe(200);
      return 200;
    };
    answering(200, replay, 200);
    await deliverFor(0);
    expect(sent()).toEqual(order);
  });

  it("is not taken for another one of the same instant", async () => {
    const first = last + 1;
    await log(["a", "b", "c"]);
    const replay = (from: number) => ask("POST", "/replay", { position: first + from });
    await replay(0);
    const again = async () => {
      await replay(2);
      return 200;
    };
    answering(again, 200);
    await deliverFor(0);
    expect(sent()).toEqual(["a", "c"]);
  });

  it("is not lost either when that delivery fails, and does not wait for its pause", async () => {
    const first = last + 1;
    await log(["a", "b"]);
    const replay = async () => {
      await ask("POST", "/replay", { position: first });
      return 503;
    };
    answering(200, replay, 200);
    await deliverFor(0);
    expect(sent()).toEqual(["a", "b", "a", "b"]);
  });

  it("is not lost when the sender finds nothing more to send", async () => {
    const first = last + 1;
    await log(["a"]);
    const store = afterQuery(
      (found) => found.length === 0,
      async () => expect((await ask("POST", "/replay", { position: first })).status).toBe(200),
    );
    await deliver(store);
    expect(sent()).toEqual(["a", "a"]);
  });
});

describe("an event that comes while its webhook is awake", () => {
  it("is sent although it came after the sender's last look at the log", async () => {
    await log(["a"]);
    const store = afterQuery(
      (found) => found.length === 0,
      () => log(["b"]),
    );
    await deliver(store);
    // Nobody else wakes the webhook.
    await deliver();
    expect(sent()).toEqual(["a", "b"]);
  });

  it("that it does not want is passed over, however many of them there are", async () => {
    await log(
      Array.from({ length: 450 }, (_, n) => `other-${n}`),
      "secret",
    );
    await log(["a"]);
    await deliver();
    expect(sent()).toEqual(["a"]);
    expect(await cursor()).toMatchObject({ position: last });
  });
});

describe("a sender that has lost its lease", () => {
  it.each([
    [200, 503],
    [200, 200],
    [503, 200],
    [503, 503],
  ])("and is answered %i writes nothing over the other's %i", async (late, other) => {
    await log(["a"]);
    const gate = Promise.withResolvers<number>();
    answering(() => gate.promise, other);
    const first = deliver();
    await expect.poll(sent).toEqual(["a"]);
    await wall.advance(seconds(30));
    await deliver();
    const written = [await cursor(), await deliveries()];
    gate.resolve(late);
    await first;
    expect([await cursor(), await deliveries()]).toEqual(written);
    expect(sent()).toEqual(["a", "a"]);
  });

  it("leaves the other's lease alone, so that there is no third", async () => {
    await log(["a"]);
    const gates = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    answering(
      ...gates.map(
        ({ promise }) =>
          () =>
            promise,
      ),
    );
    const first = deliver();
    await expect.poll(sent).toEqual(["a"]);
    await wall.advance(seconds(30));
    const second = deliver();
    await expect.poll(sent).toEqual(["a", "a"]);
    gates[0]?.resolve(200);
    await first;
    await deliver();
    expect(sent()).toEqual(["a", "a"]);
    gates[1]?.resolve(200);
    await second;
  });
});

describe("one run of a sender", () => {
  it("keeps its lease for as long as it works, and begins no event after 30 s", async () => {
    await log(["a", "b", "c", "d", "e", "f"]);
    api.deps.receive = async () => {
      await wall.advance(seconds(9));
      // Another one, who would have the webhook if the lease had ended.
      await deliver();
      return { status: 200, text: "" };
    };
    await deliver();
    expect(sent()).toEqual(["a", "b", "c", "d"]);
    expect(await cursor()).not.toHaveProperty("lease");
    await deliver();
    expect(sent()).toEqual(["a", "b", "c", "d", "e", "f"]);
  });

  it("leaves the lease for 30 s to one who died", async () => {
    await log(["a"]);
    answering(() => new Promise(() => {}), 200);
    void deliver();
    await expect.poll(sent).toEqual(["a"]);
    await wall.advance(seconds(30) - 1);
    await deliver();
    expect(sent()).toEqual(["a"]);
    await wall.advance(1);
    await deliver();
    expect(sent()).toEqual(["a", "a"]);
  });

  it("sends 100 events, and leaves the webhook due for the next run", async () => {
    await log(Array.from({ length: 101 }, (_, n) => `e-${n}`));
    await deliver();
    expect(sent()).toHaveLength(100);
    await deliver();
    expect(sent().at(-1)).toBe("e-100");
    expect(sent()).toHaveLength(101);
  });
});

describe("the pause after a failure", () => {
  const mended = { spec: { url: "https://other.example.com/" } };
  const paths = () => api.deps.posts.map((post) => new URL(post.url).hostname.split(".")[0]);

  it("ends when the owner changes the webhook: the next try is made at once", async () => {
    await log(["a"]);
    answering(503, 503, 503, 503, 200);
    await deliverFor(seconds(10));
    expect((await deliveries())[0]).toMatchObject({ tries: 2 });
    await ask("PATCH", "", mended);
    await deliverFor(0);
    expect(paths()).toEqual(["receiver", "receiver", "other"]);
    // The tries go on where they were: a receiver that is still away is not asked more often.
    expect((await deliveries())[0]).toMatchObject({ tries: 3, state: "DELIVERY_STATE_RETRYING" });
    await deliverFor(seconds(60));
    expect(paths()).toHaveLength(3);
  });

  it("does not end with a new event, nor with a change that is not the owner's", async () => {
    await log(["a"]);
    answering(503);
    await deliver();
    await log(["b"]);
    const gone = { time: timestamp(0), generation: -1 };
    await changeObject(api.deps, "webhook", id, (webhook) => ({ ...webhook, status: { gone } }));
    await deliverFor(0);
    expect(sent()).toEqual(["a"]);
  });

  it.each([503, 410])(
    "does not begin when the owner changed the webhook during the try that was answered %i",
    async (status) => {
      await log(["a"]);
      const change = async () => {
        expect((await ask("PATCH", "", mended)).status).toBe(200);
        await relayAll();
        return status;
      };
      answering(change, 200);
      await deliverFor(0);
      expect(paths()).toEqual(["receiver", "other"]);
      expect((await ask("GET", "")).body.status).toEqual({ state: "WEBHOOK_STATE_ACTIVE" });
    },
  );

  it("is for all tries of one event, and not for those of the next", async () => {
    await log(["a", "b"]);
    answering(503, 200, 503, 200);
    await deliverFor(seconds(7));
    expect(sent()).toEqual(["a", "a", "b"]);
    await deliverFor(seconds(7));
    expect(sent()).toEqual(["a", "a", "b", "b"]);
    expect((await deliveries()).map(({ tries }: { tries: number }) => tries)).toEqual([2, 2]);
  });
});

it("an event is tried for a day from when it happened, to the last try that fits", async () => {
  await log(["a"]);
  answering(503);
  for (let n = 0; n < 40; n++) await deliverFor(hours(1));
  const [{ state, first_time, last_time }] = await deliveries();
  expect(state).toBe("DELIVERY_STATE_FAILED");
  const tried = Date.parse(last_time) - Date.parse(first_time);
  expect(tried).toBeLessThanOrEqual(hours(25));
  expect(tried).toBeGreaterThan(hours(20));
});

it("the record of a delivery goes after 30 days", async () => {
  await log(["a"]);
  await deliver();
  const [{ number }] = await deliveries();
  const item = await api.deps.store.get(webhookDeliveryKey(id, number));
  expect(Number(item?.expires) * 1000).toBe(api.deps.clock.now() + hours(30 * 24));
});

/** The store, in which something happens once, just after the tenant's log was read so. */
function afterQuery(isThen: (found: unknown[]) => boolean, happen: () => Promise<unknown>): Store {
  const { store } = api.deps;
  let hasHappened = false;
  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    async query(query: Query) {
      const found = await store.query(query);
      if (!hasHappened && query.pk === `log#${tenant}` && isThen(found.items)) {
        hasHappened = true;
        await happen();
      }
      return found;
    },
    transact: (writes) => store.transact(writes),
  };
}
