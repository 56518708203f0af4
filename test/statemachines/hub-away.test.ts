import { expect, it } from "vitest";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { wrongInBooks } from "../support/books.ts";
import { recordsIn } from "../support/records.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** A hub whose agent reports home while Slipway gets no answer from its API server. */

const minute = 60_000;

const away = (site: Site) =>
  site.world.faults.add({ target: "hub:hub-a", fault: "timeout", count: 0 });
const hub = async (site: Site, id: string): Promise<Wire> =>
  (await site.admin("GET", `hubs/${id}`)).body.status;
const isIn = (site: Site, state: string) =>
  site.laptop.until(async () => (await hub(site, "hub-a")).state === state, `hub-a is ${state}`);

async function fallenSilent(): Promise<Site> {
  const site = await openSite();
  await isIn(site, "HUB_STATE_READY");
  const isReached = async () =>
    (await hub(site, "hub-a")).conditions.every(
      ({ status }: Wire) => status === "CONDITION_STATUS_TRUE",
    );
  await site.laptop.until(isReached, "hub-a is heard and reached");
  expect((await hub(site, "hub-a")).conditions).toMatchObject([
    { type: "HUB_CONDITION_TYPE_HEARD" },
    { type: "HUB_CONDITION_TYPE_REACHED" },
  ]);
  away(site);
  await isIn(site, "HUB_STATE_UNREACHABLE");
  return site;
}

it("says since when it is not reached and why, and that its agent is heard", {
  tags: "smoke",
}, async () => {
  const site = await fallenSilent();
  const status = await hub(site, "hub-a");
  expect(status.message).toMatch(
    /^Slipway has not reached it since 2026-\S+Z: the hub does not answer$/,
  );
  expect(status.conditions[0]).toMatchObject({ status: "CONDITION_STATUS_TRUE" });
  expect(Date.parse(status.last_reached_time)).toBeLessThan(Date.parse(status.last_heard_time));
  expect(await hub(site, "hub-b")).toMatchObject({ state: "HUB_STATE_READY" });
});

it("gets no orders: those that may go elsewhere do", async () => {
  const site = await fallenSilent();
  for (const name of ["one", "two"]) {
    const id = await site.order(name);
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    const { body } = await site.admin("GET", `clusters/${id}`);
    expect(body.status.hub).toBe("hub-b");
    expect(body.status.placement.rejected).toEqual([{ hub: "hub-a", reason: "cannot be reached" }]);
  }
});

it("gets its orders when it answers again: who waits for it says so, and goes on", async () => {
  const site = await fallenSilent();
  const id = await site.order("one", { placement: { region: "eu-west" } });
  const waiting = async () => (await site.cluster(id)).status.waiting?.[0];
  await site.laptop.until(async () => (await waiting()) !== undefined, "it waits");
  expect(await waiting()).toMatchObject({
    step: "ReserveCapacity",
    system: "placement",
    message:
      "a hub (position 1 in the queue; one hub: cannot be reached; one hub: is in region us-east)",
  });
  site.world.faults.clear();
  const began = site.laptop.clock.now();
  await isIn(site, "HUB_STATE_READY");
  const { message, last_error } = await hub(site, "hub-a");
  expect(message).toBeUndefined();
  expect(last_error).toEqual({
    message: "the hub does not answer",
    time: expect.stringMatching(/^2026-/),
  });
  expect(await hub(site, "hub-b")).not.toHaveProperty("last_error");
  expect(site.laptop.clock.now() - began).toBeLessThan(2 * minute);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("keeps a step waiting, which says so of the hub, and which hub it is to administrators alone", async () => {
  const site = await openSite();
  const id = await site.order("one", { placement: { region: "eu-west" } });
  const step = async () => (await site.cluster(id)).status.waiting?.[0];
  await site.laptop.until(async () => (await step())?.step === "AttachHosts", "hosts are attached");
  away(site);
  await site.laptop.until(
    async () => /does not answer/.test((await step())?.message),
    "it is unreachable",
  );
  const said = { step: "AttachHosts", system: "hub", message: "the hub does not answer" };
  expect(await step()).toEqual({ ...said, since: expect.any(String) });
  const { body } = await site.admin("GET", `clusters/${id}`);
  expect(body.status.waiting).toMatchObject([{ ...said, instance: "hub-a" }]);
  site.world.faults.clear();
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
});

it("uses up no time of a step that waits for its news", async () => {
  const news = { come: true };
  const site = await openSite({ hasNews: () => news.come });
  const id = await site.order("one", { placement: { region: "eu-west" } });
  const step = async () => (await site.cluster(id)).status.waiting?.[0];
  await site.laptop.until(
    async () => (await step())?.step === "DeployControlPlane",
    "the control plane is made",
  );
  away(site);
  news.come = false;
  await isIn(site, "HUB_STATE_UNREACHABLE");
  await site.laptop.pass(2 * 60 * minute);
  const said = { step: "DeployControlPlane", system: "hub", message: "the hub does not answer" };
  expect(await step()).toMatchObject(said);
  site.world.faults.clear();
  news.come = true;
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("costs an order's step no tries while it is unreachable, and the step goes on as soon as it is back", async () => {
  const site = await openSite();
  const id = await site.order("one", { placement: { region: "eu-west" } });
  const { store } = site.laptop;
  /** The step whose task is kept, with how often it was tried. */
  const kept = async () => {
    const { operation = "" } = await mustLoad(recordsIn(store), "cluster", id);
    const { steps } = await mustLoad(recordsIn(store), "operation", operation);
    return Object.values(steps).find(({ retry_at }) => retry_at !== undefined);
  };
  const placed = async () => (await site.admin("GET", `clusters/${id}`)).body.status.hub;
  await site.laptop.until(async () => (await placed()) === "hub-a", "it is placed");
  away(site);
  await isIn(site, "HUB_STATE_UNREACHABLE");
  await site.laptop.until(async () => (await kept()) !== undefined, "its task is kept");
  const before = await kept();
  await site.laptop.pass(50 * minute);
  expect(await kept()).toEqual(before);
  site.world.faults.clear();
  const began = site.laptop.clock.now();
  await site.laptop.until(async () => (await kept()) === undefined, "it goes on");
  expect(site.laptop.clock.now() - began).toBeLessThan(3 * minute);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await wrongInBooks(site)).toEqual([]);
});

const upgraded = { spec: { version: "4-18-1" } };

it("has a change of a READY cluster whose calls hang say so within ten minutes, and late by an estimate that stays", async () => {
  const site = await openSite();
  const id = await site.order("one", { placement: { region: "eu-west" } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  site.world.faults.add({
    ...{ target: "hub:hub-a", fault: "timeout", count: 0 },
    operation: "PATCH",
  });
  expect((await site.api("PATCH", `clusters/${id}`, upgraded)).status).toBe(200);
  const work = async () => {
    const { operation } = (await site.cluster(id)).status;
    return (await site.api("GET", `operations/${operation}`)).body.status;
  };
  await site.laptop.until(async () => (await work()).waiting?.length > 0, "a call hangs");
  const { estimate, usual_seconds } = await work();
  await site.laptop.pass(12 * minute);
  const { status } = await site.cluster(id);
  expect(status.state).toBe("CLUSTER_STATE_READY");
  expect(status.stalled).toMatchObject({ message: expect.stringMatching(/^the hub d/) });
  await site.laptop.pass(10 * 60 * minute);
  const late = await work();
  expect(late).toMatchObject({ estimate, usual_seconds });
  expect(late.estimate_beyond_seconds).toBeGreaterThan(9 * 3600);
  const { body } = await site.admin("GET", `clusters/${id}`);
  const [wait] = body.status.waiting;
  expect(wait).toMatchObject({
    instance: "hub-a",
    call: expect.stringMatching(/^PATCH hostedclusters\//),
    attempts: expect.any(Number),
    last_attempt_time: expect.any(String),
  });
  expect(wait.next_attempt_time > wait.last_attempt_time).toBe(true);
  expect(JSON.stringify((await site.cluster(id)).status)).not.toMatch(/hub-a|hostedclusters/);
});
