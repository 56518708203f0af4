import { expect, it } from "vitest";
import { timestamp } from "../../../core/clock.ts";
import { putNew } from "../../../core/kernel/object/records.ts";
import { newOperation } from "../../../core/kernel/saga/new-operation.ts";
import type { Operation, StepEntry } from "../../../core/kernel/saga/operation.ts";
import { oncePerCounter } from "../../../core/kernel/store/once-per-counter.ts";
import { statusSchema } from "../../../core/reconcile/status/schema.ts";
import { statusOf } from "../../../core/reconcile/status/status.ts";
import { catalogApi, priv } from "../../support/api.ts";
import { clusterRecord } from "../../support/cluster-record.ts";
import { counting } from "../../support/counting-store.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { addHub } from "../../support/placement.ts";
import { openSite, type Site, type Wire } from "../../support/site.ts";
import { setHub } from "../../support/waiting.ts";

/** One call for the state of everything. */

const minute = 60_000;
const inEurope = { placement: { region: "eu-west" } };

async function statusIn(site: Site): Promise<Wire> {
  const { status, body } = await site.admin("GET", "status");
  expect(status, JSON.stringify(body)).toBe(200);
  // No member but those that are described.
  expect(statusSchema.parse(body)).toEqual(body);
  return body;
}

const until = async (
  site: Site,
  wanted: (status: Wire) => boolean,
  what: string,
): Promise<Wire> => {
  let found: Wire;
  const isSo = async () => {
    found = await statusIn(site);
    return wanted(found);
  };
  await site.laptop.until(isSo, what);
  return found;
};

const clustersIn = (status: Wire) => status.objects.find(({ kind }: Wire) => kind === "cluster");

it("says that all is well where nothing is under way", async () => {
  const site = await openSite();
  const status = await until(site, ({ hubs }) => hubs.ready === 2, "both hubs are heard");
  expect(status.operations).toEqual({
    ...{ pending: 0, queued: 0, running: 0, waiting: 0, stalled: 0, stuck: 0, unread: 0 },
  });
  expect(status).toMatchObject({ stuck: [], waits: [], more_waits: 0, queues: [] });
  expect(status.switches).toEqual({ intake: { paused: false }, removal: { paused: false } });
  expect(status.hubs).toMatchObject({ total: 2, unreachable: 0, cordoned: 0, items: [] });
  expect(clustersIn(status)).toEqual({
    ...{ kind: "cluster", total: 0, creating: 0, changing: 0, deleting: 0, failed: 0 },
  });
});

it("groups orders by what they queue for, and says what runs out next and which switch is paused", async () => {
  const site = await openSite();
  const large = { node_sets: { workers: { size: 5 } }, ...inEurope };
  const ids = [await site.order("one", large)];
  await site.laptop.pass(minute);
  for (const name of ["two", "three"]) {
    ids.push(await site.order(name, large));
    await site.laptop.pass(minute);
  }
  await site.admin("POST", "intake:pause");
  const { waits, queues, next_out, switches, operations, objects } = await until(
    site,
    ({ waits }) => waits.some(({ operations }: Wire) => operations === 2),
    "two orders wait",
  );
  expect(waits.find(({ waits_for }: Wire) => waits_for)).toEqual({
    ...{ system: "placement", waits_for: "hosts", host_type: "fc430", operations: 2, stalled: 0 },
    since: expect.any(String),
    example: {
      ...{ operation: expect.any(String), change: "CREATE", kind: "cluster", name: "two" },
      ...{ id: ids[1], tenant: "tenant-a", step: "ReserveCapacity", since: expect.any(String) },
      message: expect.stringContaining("5 hosts of type fc430"),
    },
  });
  expect(queues).toContainEqual({ waits_for: "hosts", host_type: "fc430", orders: 2 });
  expect(next_out).toHaveLength(5);
  expect(next_out[0]).toMatchObject({ resource: "hosts", host_type: "fc430", region: "eu-west" });
  expect(switches.intake).toMatchObject({ paused: true, by: "root" });
  expect(operations).toMatchObject({ running: 3, queued: 0 });
  expect(clustersIn({ objects })).toMatchObject({ total: 3, creating: 3 });
});

it("names the hub that is not reached, and groups what waits for it", async () => {
  const site = await openSite();
  const id = await site.order("one", inEurope);
  const step = async () => (await site.cluster(id)).status.waiting?.[0]?.step;
  await site.laptop.until(async () => (await step()) === "AttachHosts", "hosts are attached");
  site.world.faults.add({ target: "hub:hub-a", fault: "timeout", count: 0 });
  const { hubs, waits } = await until(
    site,
    ({ hubs, waits }) => hubs.unreachable === 1 && waits.some(({ hub }: Wire) => hub),
    "hub-a is unreachable",
  );
  expect(hubs).toMatchObject({ total: 2, ready: 1 });
  expect(hubs.items).toMatchObject([
    {
      ...{ id: "hub-a", name: "hub-a", state: "HUB_STATE_UNREACHABLE", cordoned: false },
      message: expect.stringContaining("does not answer"),
      last_heard_time: expect.any(String),
      control_planes: { total: 20, used: 1, free: 19 },
    },
  ]);
  expect(waits).toMatchObject([{ system: "hub", hub: "hub-a", operations: 1 }]);
  site.world.faults.clear();
  await site.settled(id);
  expect((await statusIn(site)).hubs).toMatchObject({ ready: 2, items: [] });
});

it("groups what waits for a system of a site, and says when it takes too long", async () => {
  const site = await openSite();
  site.world.faults.add({ target: "dns", fault: "error", status: 503, count: 0 });
  const id = await site.order("one", inEurope);
  const { waits, operations } = await until(
    site,
    ({ operations }) => operations.stalled === 1,
    "it is stalled",
  );
  expect(operations).toMatchObject({ running: 1, waiting: 1 });
  expect(waits).toMatchObject([
    { system: "DNS", site: "site-1", operations: 1, stalled: 1, example: { id, kind: "cluster" } },
  ]);
});

it("lists what needs a person, and counts what has failed", async () => {
  const site = await openSite();
  site.world.faults.add({ target: "dns", fault: "error", status: 400, count: 0 });
  const id = await site.order("one", inEurope);
  const { stuck, operations } = await until(site, ({ stuck }) => stuck.length > 0, "it is stuck");
  expect(operations).toMatchObject({ running: 0, stuck: 1 });
  expect(stuck).toMatchObject([
    {
      id,
      name: "one",
      tenant: "tenant-a",
      change: "CREATE",
      step: expect.stringMatching(/^Undo /),
    },
  ]);
  site.world.faults.clear();
  await site.admin("POST", `operations/${stuck[0].operation}/resume`);
  await site.laptop.pass(minute);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_FAILED");
  const after = await statusIn(site);
  expect(after).toMatchObject({ stuck: [], operations: { stuck: 0, running: 0 } });
  expect(clustersIn(after)).toMatchObject({ total: 1, creating: 0, failed: 1 });
  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  expect(clustersIn(await statusIn(site))).toMatchObject({ total: 0, failed: 0 });
});

it("counts what waits behind another operation, and hubs that are cordoned", async () => {
  const site = await openSite();
  const id = await site.order("one", inEurope);
  await site.laptop.pass(10_000);
  await site.api("DELETE", `clusters/${id}`);
  await setHub(site.laptop.deps, "hub-b", { cordoned: true });
  const status = await statusIn(site);
  expect(status.operations).toMatchObject({ queued: 1, running: 1 });
  expect(status.hubs).toMatchObject({
    ...{ cordoned: 1, ready: 1 },
    items: [{ id: "hub-b", state: "HUB_STATE_READY", cordoned: true }],
  });
});

it("is for the provider's people alone", async () => {
  const api = await catalogApi();
  for (const [who, status] of [
    ["admin", 200],
    ["auditor", 200],
    ["amy", 403],
    ["portal", 403],
  ] as const)
    expect((await api.ask(who, "GET", `${priv}/status`)).status, who).toBe(status);
});

const step = (change: Partial<StepEntry>): StepEntry => ({
  ...{ position: 0, state: "WAITING", attempts: 1, system: "DNS", message: "the zone is busy" },
  start_time: "2026-01-01T00:00:00.000Z",
  usual_end: "2026-01-01T00:10:00.000Z",
  deadline: "2026-01-02T00:00:00.000Z",
  token: "t",
  ...change,
});

/** Adds operations in this state, each on a cluster of its own. */
async function addOperations(deps: TestDeps, count: number, change: (one: Operation) => Operation) {
  const target = clusterRecord(deps.clock.now());
  const one = () =>
    change(newOperation(deps, { saga: "cluster-create", change: "CREATE", target, creator: "" }));
  const atOnce = 20;
  for (let n = 0; n < count; n += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - n) }, one);
    const put = some.flatMap((operation) => putNew(deps.kinds, operation));
    await deps.store.transact(oncePerCounter(put));
  }
}

const ended = (one: Operation): Operation => ({
  ...one,
  status: { state: "SUCCEEDED", end_time: one.metadata.creation_timestamp },
  swept: true,
});
const waits = (one: Operation): Operation => ({
  ...one,
  status: { state: "RUNNING" },
  steps: { CreateDnsRecords: step({}) },
});

async function asked(deps: TestDeps) {
  const { counted, calls } = counting(deps.store);
  const status = await statusOf({ ...deps, store: counted });
  return { status, calls };
}

it("costs the same after ten and after ten thousand operations", async () => {
  const deps = testDeps();
  await addHub(deps, "hub-1");
  await addOperations(deps, 3, waits);
  await addOperations(deps, 10, ended);
  const few = await asked(deps);
  await addOperations(deps, 9_990, ended);
  const many = await asked(deps);
  expect(many.calls).toEqual(few.calls);
  expect(many.status.operations).toEqual(few.status.operations);
  expect(many.status.operations).toMatchObject({ running: 3, waiting: 3 });
});

it("reads no more than some thousands of operations, and says how many more there are", async () => {
  const deps = testDeps();
  await addOperations(deps, 5_000, waits);
  const { status, calls } = await asked(deps);
  expect(status.operations.running).toBe(3_200);
  expect(status.operations.unread).toBe(1_800);
  expect(status.waits).toMatchObject([{ system: "DNS", operations: 3_200 }]);
  expect(calls.query).toBeLessThan(70);
  expect(timestamp(deps.clock.now())).toBe(status.time);
});
