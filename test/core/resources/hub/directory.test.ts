import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock, timestamp } from "../../../../core/clock.ts";
import { asHubId } from "../../../../core/id.ts";
import { mustLoad, putChanged, putNew } from "../../../../core/kernel/object/records.ts";
import { openSqliteStore, type SqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import type { Hubs } from "../../../../core/ports/hub/hub.ts";
import type { Secrets } from "../../../../core/ports/secrets/secrets.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { hubDirectory } from "../../../../core/resources/hub/directory.ts";
import type { Hub, UnreachedReason } from "../../../../core/resources/hub/model.ts";
import { hubStatus } from "../../../../core/resources/hub/status.ts";
import { serveHub, TestHub } from "../../../support/hub-api.ts";
import { recordsIn } from "../../../support/records.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

const record: Hub = {
  kind: "hub",
  id: asHubId("hub-1"),
  metadata: {
    name: "hub-1",
    tenant: "shared",
    labels: {},
    annotations: {},
    creator: "admin",
    creation_timestamp: "2026-01-01T00:00:00.000Z",
  },
  generation: 0,
  revision: 1,
  spec: {
    region: "east",
    server: "https://127.0.0.1",
    credentials: "hub/hub-1/kubeconfig",
    capacity: 10,
    base_domain: "example.com",
  },
  status: { state: "HUB_STATE_PENDING" },
  event: { type: "created", sequence: 1, time: "2026-01-01T00:00:00.000Z", changed: [] },
};

let hub: TestHub;
let server: Awaited<ReturnType<typeof serveHub>>;
let store: SqliteStore;
let kept: Map<string, string>;
let hubs: Hubs;
let clock: VirtualClock;

beforeEach(async () => {
  hub = new TestHub();
  server = await serveHub(hub.fetch);
  store = openSqliteStore(":memory:");
  kept = new Map([[record.spec.credentials, server.kubeconfig]]);
  const secrets: Secrets = {
    get: async (reference) => kept.get(reference),
    put: async (reference, value) => void kept.set(reference, value),
    remove: async (reference) => void kept.delete(reference),
  };
  clock = new VirtualClock();
  hubs = hubDirectory({ store, kinds, secrets, clock, wall: systemClock });
  await store.transact(putNew(kinds, record));
});

afterEach(() => server.close());

it("a registered hub is reached with its own credentials", async () => {
  const client = await hubs.client("hub-1");
  expect(await client.probe()).toMatch(/^v\d/);
});

it("a hub that nobody registered is NotFound", async () => {
  await expect(hubs.client("hub-9")).rejects.toMatchObject({ kind: "NotFound" });
});

it("there is one client of a hub, also when two ask at once", async () => {
  const [first, second] = await Promise.all([hubs.client("hub-1"), hubs.client("hub-1")]);
  expect(second).toBe(first);
  expect(await hubs.client("hub-1")).toBe(first);
});

it("a changed registration makes a new one", async () => {
  const first = await hubs.client("hub-1");
  const stored = await mustLoad(recordsIn(store), "hub", "hub-1");
  await store.transact(putChanged(kinds, stored, { ...stored, generation: 1 }));
  const second = await hubs.client("hub-1");
  expect(second).not.toBe(first);
  expect(await second.probe()).toMatch(/^v\d/);
});

it("without credentials the order waits, and goes on once they are there", async () => {
  kept.clear();
  await expect(hubs.client("hub-1")).rejects.toMatchObject({ kind: "Unavailable" });
  kept.set(record.spec.credentials, server.kubeconfig);
  expect(await (await hubs.client("hub-1")).probe()).toMatch(/^v\d/);
});

describe("a hub that was registered before records said when its credentials end", () => {
  const exp = Date.parse("2026-04-01T00:00:00Z");
  const withToken = (claims: object) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    kept.set(
      record.spec.credentials,
      server.kubeconfig.replace("the-token", `${part({})}.${part(claims)}.c2ln`),
    );
  };
  const storedHub = () => mustLoad(recordsIn(store), "hub", "hub-1");

  it("says so once a process has logged in with them", async () => {
    withToken({ exp: exp / 1000 });
    await hubs.client("hub-1");
    expect((await storedHub()).spec.credentials_end).toBe(timestamp(exp));
    // Neither another registration nor another generation: clients of it go on.
    expect((await storedHub()).generation).toBe(record.generation);
  });

  it("is not written where they say nothing of their end", async () => {
    withToken({ sub: "slipway" });
    await hubs.client("hub-1");
    expect(await storedHub()).toEqual(record);
  });
});

it("a hub that does not answer is left alone after a while", async () => {
  hub.intercept = () => new Response("no", { status: 503 });
  const client = await hubs.client("hub-1");
  for (let n = 0; n < 8; n++) {
    await expect(client.probe()).rejects.toMatchObject({ kind: "Unavailable" });
  }
  expect(hub.requests).toHaveLength(5);
});

it("a hub that does not answer is left alone for a time of the deployment's clock", async () => {
  const client = await hubs.client("hub-1");
  await server.close();
  for (let n = 0; n < 5; n++) await expect(client.probe()).rejects.toThrow("does not answer");
  await expect(client.probe()).rejects.toMatchObject({
    message: "the hub does not answer",
    detail: "not called: it has not answered recently",
  });
  await clock.advance(15_000);
  await expect(client.probe()).rejects.toThrow("does not answer");
});

describe("a hub that is known to be away", () => {
  const found = async (reason: UnreachedReason | "Reached") => {
    const stored = await mustLoad(recordsIn(store), "hub", "hub-1");
    const finding = { status: reason === "Reached", reason };
    const findings = { HUB_CONDITION_TYPE_REACHED: finding };
    const status = hubStatus(stored.status, findings, clock.now());
    await store.transact(putChanged(kinds, stored, { ...stored, status }));
  };

  it("is not asked: whoever wants it waits, and is told whom for", async () => {
    await hubs.client("hub-1");
    await found("NotReached");
    await expect(hubs.client("hub-1")).rejects.toMatchObject({
      kind: "Unavailable",
      message: "the hub does not answer",
      from: { system: "hub", instance: "hub-1" },
    });
    expect(hub.requests).toEqual([]);
  });

  it("is asked by whoever finds out whether it is back, and by all once it is", async () => {
    await found("NotReached");
    const client = await hubs.client("hub-1", { evenAway: true });
    expect(await client.probe()).toMatch(/^v\d/);
    await found("Reached");
    expect(await hubs.client("hub-1")).toBe(client);
  });

  it("is asked when it is there and only refuses to be read", async () => {
    await found("Refused");
    expect(await (await hubs.client("hub-1")).probe()).toMatch(/^v\d/);
  });
});
