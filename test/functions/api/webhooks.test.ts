import { HTTP } from "cloudevents";
import { beforeEach, describe, expect, it } from "vitest";
import { hours, minutes } from "../../../core/clock.ts";
import { positionPattern } from "../../../core/kernel/events/position.ts";
import { relay } from "../../../core/kernel/relay/relay.ts";
import { createObject } from "../../../core/kernel/request/crud.ts";
import type { Store } from "../../../core/kernel/store/store.ts";
import { deliverDue } from "../../../core/resources/webhook/deliver.ts";
import { WebhookSender } from "../../../core/resources/webhook/send.ts";
import { apiOf } from "../../../functions/api/schemas.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type Api, catalogApi, priv, v1 } from "../../support/api.ts";
import { testDeps } from "../../support/deps.ts";
import { eventually } from "../../support/eventually.ts";
import { interrupted } from "../../support/interrupted-store.ts";
import { verified } from "../../support/standard-webhooks.ts";

/** Webhooks from their API to their receivers, in virtual time. */

let api: Api;
let sender: WebhookSender;
let relayed: string | undefined;
let logged: unknown[];
beforeEach(async () => {
  logged = [];
  const log = (...members: unknown[]) => void logged.push(members);
  api = await catalogApi(testDeps({ log: { info: log, warn: log, error: log } }));
  sender = new WebhookSender(api.deps);
  relayed = undefined;
  await relayAll();
});

async function relayAll() {
  for (const record of api.deps.store.stream(relayed, 10_000)) {
    await relay(api.deps, sagas, record);
    relayed = record.sequence;
  }
}

/** Lets time pass as the platform does: the stream is read, and the sender runs every few seconds. */
async function pass(ms: number, every = 5000) {
  for (let passed = 0; passed <= ms; passed += every) {
    await relayAll();
    await sender.run();
    await sender.idle();
    await relayAll();
    if (passed < ms) await api.deps.clock.advance(Math.min(every, ms - passed));
  }
}

const url = "https://receiver.example.com/events";
const ask = (method: string, path: string, body?: unknown, person: "bob" | "admin" = "bob") =>
  api.ask(person, method, `${v1}/webhooks${path}`, body);
const create = async (spec: object = {}, name = "hook") =>
  (await ask("POST", "", { metadata: { name }, spec: { url, ...spec } })).body;

/** Something that bob's tenant has an event of: its own template. */
async function happen(name: string) {
  const { status, text } = await api.ask("admin", "POST", `${priv}/cluster_templates`, {
    id: name,
    metadata: { name, tenant: "tenant-b" },
    node_sets: { w: { host_type: "small", size: 1 } },
  });
  expect(status, text).toBe(200);
  await relayAll();
}
const subjects = () =>
  api.deps.posts
    .map(({ body }) => JSON.parse(body))
    .filter(({ type }) => type !== "slipway.webhook.created.v1")
    .map(({ subject }) => subject.replace("cluster_templates/", ""));
const templates = { event_types: ["slipway.cluster_template.*"] };
const deliveries = async (id: string) => (await ask("GET", `/${id}/deliveries`)).body.items;
const answering = (...statuses: number[]) => {
  let n = 0;
  api.deps.receive = async () => ({ status: statuses[n++] ?? 200, text: "" });
};

describe("a webhook", () => {
  it("shows a secret that it made in that answer only", async () => {
    const made = await create();
    expect(made.spec).toEqual({
      url,
      event_types: [],
      enabled: true,
      secret: expect.stringMatching(/^whsec_/),
    });
    expect(made.status).toEqual({ state: "WEBHOOK_STATE_ACTIVE" });
    expect((await ask("GET", `/${made.id}`)).body.spec.secret).toBe("***");
    expect((await ask("GET", "")).text).not.toContain("whsec_");
    const given = await create({ secret: `whsec_${btoa("canary-".repeat(5))}` }, "given");
    expect(given.spec.secret).toBe("***");
  });

  it("shows its secret again to who has lost the answer, as long as it has that secret", async () => {
    const key = { "Idempotency-Key": "k" };
    const body = { metadata: { name: "w" }, spec: { url } };
    const post = (query = "") => api.ask("bob", "POST", `${v1}/webhooks${query}`, body, key);
    expect((await post("?dry_run=true")).body.spec.secret).toBe("***");
    const first = (await post()).body;
    expect(first.spec.secret).toMatch(/^whsec_/);
    const again = await post();
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.body).toEqual(first);
    expect(api.dump().split(first.spec.secret)).toHaveLength(2); // where secrets are kept
    await ask("POST", `/${first.id}/rotate_secret`);
    expect((await post()).body.spec.secret).toBe("***");
    await ask("DELETE", `/${first.id}`);
    expect((await post()).body.spec.secret).toBe("***");
  });

  it("never shows a secret that was given", async () => {
    const spec = { url, secret: `whsec_${btoa("canary-".repeat(5))}` };
    const body = { metadata: { name: "w" }, spec };
    for (let n = 0; n < 2; n++) {
      const key = { "Idempotency-Key": "k" };
      const { body: said } = await api.ask("bob", "POST", `${v1}/webhooks`, body, key);
      expect(said.spec.secret).toBe("***");
    }
  });

  it.each([
    [{ url: "http://receiver.example.com" }, "spec.url"],
    [{ url: "https://169.254.169.254/" }, "spec.url"],
    [{ event_types: ["cluster.ready"] }, "spec.event_types[0]"],
    [{ secret: "short" }, "spec.secret"],
  ])("refuses %j", async (spec, field) => {
    const { status, body } = await ask("POST", "", {
      metadata: { name: "w" },
      spec: { url, ...spec },
    });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ field }]);
  });

  it("is its tenant's own, and for those who administer it", async () => {
    const { id } = await create();
    expect((await api.ask("ann", "GET", `${v1}/webhooks/${id}`)).status).toBe(403);
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/deliveries"],
      ["POST", "/test"],
      ["POST", "/rotate_secret"],
      ["DELETE", ""],
    ] as const) {
      const theirs = await api.ask("eve", method, `${v1}/webhooks/${id}${path}`);
      expect(theirs.status, path).toBe(404);
    }
    const replay = { position: "0" };
    expect((await api.ask("eve", "POST", `${v1}/webhooks/${id}/replay`, replay)).status).toBe(404);
    expect(api.deps.posts).toEqual([]);
  });

  it("is one of 20 at most", async () => {
    for (let n = 0; n < 20; n++) await create({}, `w${n}`);
    const { status, body } = await ask("POST", "", { metadata: { name: "more" }, spec: { url } });
    expect({ status, detail: body.detail }).toMatchObject({
      status: 400,
      detail: expect.stringContaining("20 is the limit"),
    });
  });

  it("is one of 20 at most, though two are made at once", async () => {
    for (let n = 0; n < 19; n++) await create({}, `w${n}`);
    const { rules } = apiOf("webhook");
    if (!rules) throw new Error("webhooks cannot be written");
    const store = interrupted(api.deps.store, () => create({}, "faster"));
    const bob = { user: "bob", tenant: "tenant-b", everywhere: false };
    const body = { metadata: { name: "slower" }, spec: { url } };
    await expect(createObject({ ...api.deps, store }, bob, rules, body)).rejects.toMatchObject({
      kind: "Invalid",
      violations: [{ message: "has 20 webhooks; 20 is the limit" }],
    });
    expect((await ask("GET", "")).body.total).toBe(20);
  });
});

describe("a delivery", () => {
  it("is signed, so that its receiver can tell", async () => {
    const { spec } = await create();
    await happen("one");
    await pass(5000);
    const [post] = api.deps.posts.slice(-1);
    if (!post) throw new Error("nothing was sent");
    expect(await verified(post, spec.secret, api.deps.wall.now())).toBe(true);
    expect(post.url).toBe(url);
    const event = JSON.parse(post.body);
    expect(event).toMatchObject({
      specversion: "1.0",
      type: "slipway.cluster_template.created.v1",
      tenant: "tenant-b",
      data: { object: { id: "one" } },
    });
    expect(post.headers["webhook-id"]).toBe(event.id);
  });

  it("is a CloudEvent to the library of CloudEvents", async () => {
    await create(templates);
    await happen("one");
    await pass(5000);
    const [post] = api.deps.posts;
    if (!post) throw new Error("nothing was sent");
    const read = HTTP.toEvent({ headers: post.headers, body: post.body });
    expect(JSON.parse(JSON.stringify(read))).toMatchObject(JSON.parse(post.body));
  });

  it("comes in the order of the log, of the types that are wanted, of its own tenant", async () => {
    await create(templates);
    await api.ask("ann", "POST", `${v1}/clusters`, { metadata: { name: "x" } });
    for (const name of ["a", "b", "c", "d"]) await happen(name);
    await create({ url: "https://other.example.com/" }, "other");
    await pass(5000);
    const sentTo = (host: string) =>
      api.deps.posts
        .filter((post) => post.url.includes(host))
        .map(({ body }) => JSON.parse(body))
        .map(({ tenant, type, subject }) => ({ tenant, type, subject }));
    expect(sentTo("receiver")).toEqual(
      ["a", "b", "c", "d"].map((name) => ({
        tenant: "tenant-b",
        type: "slipway.cluster_template.created.v1",
        subject: `cluster_templates/${name}`,
      })),
    );
    expect(sentTo("other")).toMatchObject([{ type: "slipway.webhook.created.v1" }]);
  });

  it("is tried again, ever more seldom, and those behind it wait for it", async () => {
    const { id } = await create(templates);
    answering(500, 503, 302);
    await happen("a");
    await happen("b");
    await pass(20_000);
    expect(subjects()).toEqual(["a", "a"]);
    expect(await deliveries(id)).toMatchObject([
      { number: 1, state: "DELIVERY_STATE_RETRYING", tries: 2, http_status: 503 },
    ]);
    await pass(minutes(12), 30_000);
    expect(subjects()).toEqual(["a", "a", "a", "a", "b"]);
    expect(
      new Set(api.deps.posts.slice(0, 4).map(({ headers }) => headers["webhook-id"])).size,
    ).toBe(1);
    expect(await deliveries(id)).toMatchObject([
      { number: 2, state: "DELIVERY_STATE_DELIVERED", tries: 1 },
      { number: 1, state: "DELIVERY_STATE_DELIVERED", tries: 4, http_status: 200 },
    ]);
  });

  it("fails after a day, and the next has its turn", async () => {
    const { id } = await create(templates);
    api.deps.receive = async ({ body }) => ({
      status: body.includes('"a"') ? 500 : 200,
      text: "no",
    });
    await happen("a");
    await pass(hours(20), minutes(10));
    expect(await deliveries(id)).toMatchObject([{ state: "DELIVERY_STATE_RETRYING" }]);
    await happen("b");
    await pass(hours(5), minutes(10));
    const [second, first] = await deliveries(id);
    expect(second).toMatchObject({ state: "DELIVERY_STATE_DELIVERED" });
    expect(first).toMatchObject({
      state: "DELIVERY_STATE_FAILED",
      message: "the answer is not a success: no",
    });
    expect(first.tries).toBeGreaterThan(8);
    expect(first.tries).toBeLessThan(25);
    const day = Date.parse(first.last_time) - Date.parse(first.first_time);
    expect(day).toBeGreaterThan(hours(19));
    expect(day).toBeLessThanOrEqual(hours(24));
  });

  it("that is answered 410 is the last, until the webhook is changed", async () => {
    const { id } = await create(templates);
    answering(410);
    await happen("a");
    await happen("b");
    await pass(minutes(30));
    expect(subjects()).toEqual(["a"]);
    const { body } = await ask("GET", `/${id}`);
    expect(body.status).toEqual({ state: "WEBHOOK_STATE_GONE", gone_time: expect.any(String) });
    const change = { spec: { url: "https://other.example.com/" } };
    const changed = await ask("PATCH", `/${id}`, change);
    expect(changed.body.status).toEqual({ state: "WEBHOOK_STATE_ACTIVE" });
    await pass(5000);
    expect(subjects()).toEqual(["a", "a", "b"]);
    expect(api.deps.posts.at(-1)?.url).toBe("https://other.example.com/");
  });

  it("waits while the webhook is disabled, and ends with it", async () => {
    const { id } = await create({ ...templates, enabled: false });
    await happen("a");
    await pass(minutes(1));
    expect(subjects()).toEqual([]);
    await ask("PATCH", `/${id}`, { spec: { enabled: true } });
    await pass(5000);
    expect(subjects()).toEqual(["a"]);
    await happen("b");
    expect((await ask("DELETE", `/${id}`)).status).toBe(200);
    await pass(minutes(1));
    expect(subjects()).toEqual(["a"]);
    expect([...api.deps.secretValues.keys()].filter((key) => key.startsWith("webhook/"))).toEqual(
      [],
    );
  });

  it("begins when the webhook is opened while its sender finds it closed", async () => {
    const { id } = await create({ ...templates, enabled: false });
    await happen("a");
    const { store } = api.deps;
    let isOpened = false;
    const get: Store["get"] = async (key) => {
      const item = await store.get(key);
      if (!isOpened && key.pk === `webhook#${id}`) {
        isOpened = true;
        expect((await ask("PATCH", `/${id}`, { spec: { enabled: true } })).status).toBe(200);
        await relayAll();
      }
      return item;
    };
    const racing: Store = {
      get,
      getMany: (keys) => store.getMany(keys),
      query: (query) => store.query(query),
      count: (query) => store.count(query),
      transact: (writes) => store.transact(writes),
    };
    await deliverDue({ ...api.deps, store: racing }, { tenant: "tenant-b", webhook: id });
    expect(isOpened).toBe(true);
    await pass(minutes(1));
    expect(subjects()).toEqual(["a"]);
  });

  it("to one that does not answer holds up nobody else", async () => {
    await create({ url: "https://slow.example.com/", ...templates }, "slow");
    await create(templates, "fast");
    let release = () => {};
    const answer = new Promise<void>((resolve) => {
      release = resolve;
    });
    api.deps.receive = async (post) => {
      if (post.url.includes("slow")) await answer;
      return { status: 200, text: "" };
    };
    await happen("a");
    await sender.run();
    await eventually(() => expect(api.deps.posts.length).toBe(2));
    await happen("b");
    await eventually(async () => {
      await sender.run();
      expect(api.deps.posts.filter((post) => !post.url.includes("slow"))).toHaveLength(2);
    });
    expect(api.deps.posts).toHaveLength(3);
    release();
    await pass(5000);
    expect(api.deps.posts).toHaveLength(4);
  });

  it("is made by one process at a time, and by another when that has died", async () => {
    await create(templates);
    await happen("a");
    let dies = true;
    api.deps.receive = async () => {
      if (dies) await new Promise(() => {});
      return { status: 200, text: "" };
    };
    await sender.run();
    await eventually(() => expect(api.deps.posts.length).toBe(1));
    sender = new WebhookSender(api.deps);
    dies = false;
    await pass(20_000);
    expect(api.deps.posts).toHaveLength(1);
    await pass(20_000);
    expect(subjects()).toEqual(["a", "a"]);
  });
});

describe("the owner of a webhook", () => {
  it("replays from a position, under the same ids", async () => {
    const { id } = await create(templates);
    for (const name of ["a", "b", "c"]) await happen(name);
    await pass(5000);
    const [, b] = (await deliveries(id)).toReversed();
    expect((await ask("POST", `/${id}/replay`, { position: b.position })).body).toEqual({
      from: b.position,
      to: (await deliveries(id))[0].position,
    });
    await pass(5000);
    expect(subjects()).toEqual(["a", "b", "c", "b", "c"]);
    const ids = api.deps.posts.map(({ headers }) => headers["webhook-id"]);
    expect(ids.slice(3)).toEqual(ids.slice(1, 3));
    for (const position of [0, 1.5, 10_000, "one", "9".repeat(16), null])
      expect((await ask("POST", `/${id}/replay`, { position })).status).toBe(400);
  });

  it("replays from a time", async () => {
    const { id } = await create(templates);
    await happen("a");
    await api.deps.clock.advance(1);
    const time = new Date(api.deps.clock.now()).toISOString();
    for (const name of ["b", "c"]) await happen(name);
    await pass(5000);
    expect((await ask("POST", `/${id}/replay`, { time })).status).toBe(200);
    await pass(5000);
    expect(subjects()).toEqual(["a", "b", "c", "b", "c"]);
    const early = await ask("POST", `/${id}/replay`, { time: "1969-12-31T23:59:59Z" });
    expect(early.body.from).toMatch(positionPattern);
    await pass(5000);
    expect(subjects().slice(5)).toEqual(["a", "b", "c"]);
    const refused = async (body: object) => (await ask("POST", `/${id}/replay`, body)).body.errors;
    const future = { field: "time", message: "must not be in the future" };
    expect(await refused({ time: "2126-01-01T00:00:00Z" })).toEqual([future]);
    const either = { field: "position", message: "is needed, or a time instead" };
    for (const body of [{}, { position: "0", time }]) expect(await refused(body)).toEqual([either]);
  });

  it("replays what is old with a day of tries of its own", async () => {
    const { id } = await create(templates);
    await happen("a");
    await pass(5000);
    await api.deps.clock.advance(hours(48));
    answering(500);
    const [{ position }] = await deliveries(id);
    await ask("POST", `/${id}/replay`, { position });
    await pass(minutes(1));
    expect(subjects()).toEqual(["a", "a", "a"]);
  });

  it("tests it, whether it is open or not", async () => {
    const { id } = await create({ enabled: false });
    answering(200, 404);
    expect((await ask("POST", `/${id}/test`)).body).toMatchObject({
      event_type: "slipway.webhook.test.v1",
      state: "DELIVERY_STATE_DELIVERED",
      http_status: 200,
    });
    expect((await ask("POST", `/${id}/test`)).body).toMatchObject({
      state: "DELIVERY_STATE_FAILED",
    });
    expect(await deliveries(id)).toMatchObject([{ number: 2 }, { number: 1 }]);
    expect(JSON.parse(api.deps.posts[0]?.body ?? "")).toMatchObject({ subject: `webhooks/${id}` });
  });

  it("sees the last 100 deliveries", async () => {
    const { id } = await create({ enabled: false });
    for (let n = 0; n < 103; n++) await ask("POST", `/${id}/test`);
    const items = await deliveries(id);
    expect(items).toHaveLength(100);
    expect(items.at(0)).toMatchObject({ number: 103 });
    expect(items.at(-1)).toMatchObject({ number: 4 });
  });

  it("rotates the secret, of which the old one signs too for a day", async () => {
    const { id, spec } = await create(templates);
    const rotated = (await ask("POST", `/${id}/rotate_secret`)).body.spec;
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(spec.secret);
    const knows = async (secret: string) => {
      const post = api.deps.posts.at(-1);
      return post !== undefined && verified(post, secret, api.deps.wall.now());
    };
    await ask("POST", `/${id}/test`);
    expect([await knows(spec.secret), await knows(rotated.secret)]).toEqual([true, true]);
    await api.deps.clock.advance(hours(24));
    await ask("POST", `/${id}/test`);
    expect([await knows(spec.secret), await knows(rotated.secret)]).toEqual([false, true]);
    const given = `whsec_${btoa("k".repeat(32))}`;
    await ask("PATCH", `/${id}`, { spec: { secret: given } });
    await ask("POST", `/${id}/test`);
    expect([await knows(given), await knows(rotated.secret)]).toEqual([true, true]);
    expect(
      [...api.deps.secretValues.keys()].filter((key) => key.startsWith("webhook/")),
    ).toHaveLength(1);
  });
});

it("leaves its secrets in no record, no event, no audit, no delivery and no log", async () => {
  const given = `whsec_${btoa("canary-canary-canary-canary")}`;
  const { id, spec } = await create({ secret: given });
  expect(spec.secret).toBe("***");
  const made = (await ask("POST", `/${id}/rotate_secret`)).body.spec.secret;
  api.deps.receive = async () => {
    throw new Error("the network is down");
  };
  await happen("a");
  await pass(minutes(2));
  expect(logged).not.toEqual([]);
  const written = JSON.stringify([
    api.deps.store.stream(undefined, 100_000),
    api.deps.posts,
    logged,
    (await ask("GET", `/${id}`)).body,
    await deliveries(id),
    (await api.ask("admin", "GET", `${priv}/audit_entries?tenant=tenant-b`)).body,
  ]);
  for (const secret of [given, made]) {
    expect(written).not.toContain(secret.slice("whsec_".length));
    expect(written).not.toContain(atob(secret.slice("whsec_".length)));
  }
});
