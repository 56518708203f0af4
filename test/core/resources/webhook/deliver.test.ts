import { beforeEach, describe, expect, it } from "vitest";
import { hours, seconds, timestamp } from "../../../../core/clock.ts";
import { append } from "../../../../core/kernel/events/append.ts";
import type { Event } from "../../../../core/kernel/events/events.ts";
import { manyWriters } from "../../../../core/kernel/events/log-time.ts";
import { atTime } from "../../../../core/kernel/events/position.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import {
  logPartitions,
  logShards,
  webhookCursorKey,
  webhookDeliveryKey,
} from "../../../../core/kernel/object/log-keys.ts";
import { relay } from "../../../../core/kernel/relay/relay.ts";
import type { Query, Store } from "../../../../core/kernel/store/store.ts";
import { wakeWebhooks } from "../../../../core/resources/webhook/cursor.ts";
import { deliverDue } from "../../../../core/resources/webhook/deliver.ts";
import { sagas } from "../../../../statemachines/index.ts";
import { type Api, catalogApi, v1 } from "../../../support/api.ts";
import { testDeps } from "../../../support/deps.ts";
import { eventually } from "../../../support/eventually.ts";
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

beforeEach(async () => {
  wall = new VirtualClock();
  api = await catalogApi(testDeps({ wall }));
  const spec = { url, event_types: ["slipway.cluster.*"] };
  const made = await api.ask("bob", "POST", `${v1}/webhooks`, { metadata: { name: "w" }, spec });
  id = made.body.id;
  relayed = undefined;
  await relayAll();
  await deliver();
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

/** Puts events into the tenant's log, as their writers do; answers the positions before them. */
async function log(names: string[], what = "cluster"): Promise<string[]> {
  const positions: string[] = [];
  for (const id of names) {
    const event = eventOf(id, what);
    const time = await append(api.deps, { kind: "cluster", id, event, earlier: 0 });
    positions.push(atTime(time));
    await wakeWebhooks(api.deps, tenant, time);
  }
  return positions;
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
    const positions = await log(["a", "b", "c"]);
    const replay = async () => {
      const { status } = await ask("POST", "/replay", { position: positions[from] });
      expect(status).toBe(200);
      return 200;
    };
    answering(200, replay, 200);
    await deliverFor(0);
    expect(sent()).toEqual(order);
  });

  it("is not taken for another one of the same instant", async () => {
    const positions = await log(["a", "b", "c"]);
    const replay = (from: number) => ask("POST", "/replay", { position: positions[from] });
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
    const [position] = await log(["a", "b"]);
    const replay = async () => {
      await ask("POST", "/replay", { position });
      return 503;
    };
    answering(200, replay, 200);
    await deliverFor(0);
    expect(sent()).toEqual(["a", "b", "a", "b"]);
  });

  it("is not lost when the sender finds nothing more to send", async () => {
    const [position] = await log(["a"]);
    const store = afterEmptyRead(async () =>
      expect((await ask("POST", "/replay", { position })).status).toBe(200),
    );
    await deliver(store);
    expect(sent()).toEqual(["a", "a"]);
  });
});

describe("an event that comes while its webhook is awake", () => {
  it("is sent although it came after the sender's last look at the log", async () => {
    await log(["a"]);
    const store = afterEmptyRead(() => log(["b"]));
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
    const [before = ""] = await log(["a"]);
    await deliver();
    expect(sent()).toEqual(["a"]);
    expect(await cursor()).toMatchObject({ position: expect.stringMatching(`^${before}\\.`) });
  });

  it("is sent in the order of the log, whatever their shards", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `in-order-${n}`);
    await log(names);
    const shards = await Promise.all(
      logPartitions(tenant).map(async (pk) => (await api.deps.store.query({ pk })).items.length),
    );
    expect(shards).not.toContain(0);
    await deliver();
    expect(sent()).toEqual(names);
  });
});

describe("an event of which others may still come to be before it", () => {
  const settling = 2000;
  const longestTry = 1000;

  beforeEach(async () => {
    api.deps.logTime = manyWriters(api.deps.clock, { settling, longestTry, apart: 500 });
    await api.deps.clock.advance(settling + 1);
    await deliver();
  });

  it("is sent as soon as it is settled, for which its webhook wakes once", async () => {
    const stored = () => api.deps.store.get(webhookCursorKey(tenant, id));
    await log(["a"]);
    const awake = await stored();
    const { due } = Object(awake?.cursor);
    expect(due).toBe(api.deps.clock.now() + settling + 1);
    await log(["b", "c"]);
    await deliver();
    expect(sent()).toEqual([]);
    expect(await stored()).toEqual(awake);
    await api.deps.clock.advance(due - api.deps.clock.now() - 1);
    await deliver();
    expect(sent()).toEqual([]);
    await api.deps.clock.advance(1);
    await deliver();
    // They are of one moment, so the log has them in any order.
    expect(sent().sort()).toEqual(["a", "b", "c"]);
  });

  it("is not forgotten by a sender that rests because it cannot read it yet", async () => {
    await log(["a"]);
    await api.deps.clock.advance(settling + 1);
    const store = afterEmptyRead(() => log(["b"]));
    await deliver(store);
    expect(sent()).toEqual(["a"]);
    expect(await cursor()).toMatchObject({ due: api.deps.clock.now() + settling + 1 });
    await api.deps.clock.advance(settling + 1);
    await deliver();
    expect(sent()).toEqual(["a", "b"]);
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
    await eventually(() => expect(sent()).toEqual(["a"]));
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
    await eventually(() => expect(sent()).toEqual(["a"]));
    await wall.advance(seconds(30));
    const second = deliver();
    await eventually(() => expect(sent()).toEqual(["a", "a"]));
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
    await eventually(() => expect(sent()).toEqual(["a"]));
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

/** The store, in which something happens once, just after a read found nothing more in the tenant's log. */
function afterEmptyRead(happen: () => Promise<unknown>): Store {
  const { store } = api.deps;
  let hasHappened = false;
  /** The number of shards in which nothing was found, by the range that was read. */
  const empty = new Map<string, number>();
  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    async query(query: Query) {
      const found = await store.query(query);
      if (!logPartitions(tenant).includes(query.pk) || found.items.length > 0) return found;
      const range = JSON.stringify(query.range);
      empty.set(range, (empty.get(range) ?? 0) + 1);
      if (!hasHappened && empty.get(range) === logShards) {
        hasHappened = true;
        await happen();
      }
      return found;
    },
    count: (query) => store.count(query),
    transact: (writes) => store.transact(writes),
  };
}
