import { beforeAll, describe, expect, it } from "vitest";
import { stepsOf } from "../../core/kernel/saga/saga.ts";
import type { FaultInput } from "../../sim/faults.ts";
import { clusterCreate } from "../../statemachines/cluster.ts";
import { wrongInBooks } from "../support/books.ts";
import type { Stop } from "../support/laptop.ts";
import { type SavedSite, withFaultsAhead } from "../support/saved-site.ts";
import { openSite, type Site } from "../support/site.ts";

/** Every step of cluster-create failing, through the emitted ASL, against the simulated hubs. */

const steps = stepsOf(clusterCreate.nodes).map(({ name }) => name);

async function freeHosts(site: Site): Promise<number> {
  const { body } = await site.admin("GET", "hosts");
  return body.items.filter(
    (host: { status: { state: string } }) => host.status.state === "HOST_STATE_AVAILABLE",
  ).length;
}

async function expectNothingTaken(site: Site, free: number): Promise<void> {
  expect(site.owned()).toEqual([]);
  expect(await freeHosts(site)).toBe(free);
  for (const hub of ["hub-a", "hub-b"]) {
    const slots = await site.laptop.store.get({ pk: `slots#${hub}`, sk: "-" });
    expect(slots?.used ?? 0).toBe(0);
  }
}

/** One order, with a copy of its site as each step began; and the hosts that were free before it. */
const begun = new Map<string, SavedSite>();
let id: string;
let free: number;

beforeAll(async () => {
  const stops: Stop[] = [];
  let site: Site | undefined;
  site = await openSite({
    invoke(step, work) {
      if (site && !begun.has(step)) begun.set(step, site.saved());
      return work();
    },
    atEnd: (stop) => void stops.unshift(stop),
  });
  free = await freeHosts(site);
  id = await site.order("c1");
  await site.settled(id);
  for (const stop of stops) await stop();
});

/** The site as the step begins, with these faults ahead of its worker. */
async function siteAt(step: string, ...faults: Omit<FaultInput, "target">[]): Promise<Site> {
  const saved = begun.get(step);
  if (!saved) throw new Error(`the order did not come to ${step}`);
  const ahead = faults.map((fault) => ({ target: "worker", ...fault }));
  return openSite({ from: withFaultsAhead(saved, ahead) });
}

describe.each(steps)("%s", (step) => {
  it("refused for good: everything is given back, and the order says which step and why", async () => {
    const site = await siteAt(step, { operation: step, fault: "error" });
    const operation = await site.settled(id);
    expect(operation.status).toMatchObject({
      state: "OPERATION_STATE_FAILED",
      failure: { step, kind: "Rejected", message: "a fault was injected", given_back: true },
    });
    const cluster = await site.cluster(id);
    expect(cluster.status).toMatchObject({ state: "CLUSTER_STATE_FAILED", failure: { step } });
    await expectNothingTaken(site, free);
  });

  it.each(["crash_before", "crash_after", "slow"] as const)(
    "%s, once: the order becomes READY all the same",
    async (fault) => {
      const site = await siteAt(step, { operation: step, fault });
      expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
      expect(site.world.faults.list()).toMatchObject([{ operation: step, taken: 1 }]);
      expect((await site.cluster(id)).status.state).toBe("CLUSTER_STATE_READY");
      expect(site.owned().filter((thing) => thing.startsWith("HostedCluster "))).toHaveLength(1);
    },
  );

  it("failing in its undo as well: stands still, and a person's resume gives everything back", async () => {
    const site = await siteAt(
      step,
      { operation: step, fault: "error" },
      { operation: "Undo ReserveCapacity", fault: "error" },
    );
    const stuck = await site.settled(id);
    expect(stuck.status).toMatchObject({
      state: "OPERATION_STATE_STUCK",
      failure: { step: "Undo ReserveCapacity", given_back: false },
      resume_requested: false,
    });
    const resumed = await site.api("POST", `operations/${stuck.id}/resume`);
    expect(resumed).toMatchObject({ status: 200, body: { status: { resume_requested: true } } });
    await site.laptop.pass(60_000);
    expect((await site.settled(id)).status).toMatchObject({
      state: "OPERATION_STATE_FAILED",
      failure: { step },
    });
    await expectNothingTaken(site, free);
  });
});

it("a hub that refuses the hosted cluster: its own words are in the order's status", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  site.world.faults.add({
    target: "hub",
    operation: "PATCH /apis/hypershift.openshift.io",
    fault: "error",
    count: 0,
  });
  const id = await site.order("c1");
  const operation = await site.settled(id);
  expect(operation.status.failure).toMatchObject({ step: "DeployControlPlane", kind: "Rejected" });
  expect((await site.cluster(id)).status.failure.message.length).toBeGreaterThan(10);
  expect(site.owned()).toEqual([]);
});

it("a hub that is older than what it is sent: the order fails at once, and names the member", async () => {
  const message =
    "failed to create typed patch object (a/b; hypershift.openshift.io/v1beta1, Kind=HostedCluster): .spec.olmCatalogPlacement: field not declared in schema";
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", message, code: 500 };
  const site = await openSite({
    outside: async (request, send) =>
      request.method === "PATCH" && request.url.includes("/hostedclusters/")
        ? Response.json(status, { status: 500 })
        : send(),
  });
  const id = await site.order("c1");
  const { failure } = (await site.settled(id)).status;
  expect(failure).toMatchObject({ step: "DeployControlPlane", kind: "Rejected", message });
  expect(site.owned()).toEqual([]);
});

const asked: Record<string, (site: Site, id: string) => Promise<unknown>> = {
  create: async () => {},
  scale: (site, id) =>
    site.api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size: 4 } } } }),
  delete: (site, id) => site.api("DELETE", `clusters/${id}`),
};

it.each(Object.keys(asked))(
  "a hub that is unreachable for an hour: a %s waits and says so, and goes on when it is back",
  async (what) => {
    const site = await openSite();
    const leave = () =>
      site.world.faults.add({ target: "hub", fault: "error", status: 503, count: 0 });
    if (what === "create") leave();
    const id = await site.order("c1");
    if (what !== "create") {
      await site.settled(id);
      leave();
      await asked[what]?.(site, id);
    }
    for (let waited = 0; waited < 60; waited += 20) {
      await site.laptop.pass(20 * 60_000);
      const { body } = await site.api("GET", "operations");
      const { status } = body.items.at(-1);
      expect(status).toMatchObject({ state: "OPERATION_STATE_RUNNING" });
      expect(status.waiting_for).toMatch(/hub/);
    }
    site.world.faults.clear();
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    expect(site.owned().filter((thing) => thing.startsWith("host "))).toHaveLength(
      { create: 2, scale: 4, delete: 0 }[what] ?? -1,
    );
    expect(await wrongInBooks(site)).toEqual([]);
  },
);

it("a host that fails to install: the order fails with the agent's words and gives everything back", async () => {
  const site = await openSite();
  const free = await freeHosts(site);
  site.world.faults.add({ target: "hub", operation: "install", fault: "error" });
  const id = await site.order("c1");
  const operation = await site.settled(id);
  expect(operation.status.failure).toMatchObject({ step: "JoinNodes", kind: "Rejected" });
  await expectNothingTaken(site, free);
});

it("news that is lost altogether: the sweep of the hubs brings the order to READY", async () => {
  const site = await openSite({ reports: false });
  // Discovery and heartbeats come by the sweep and one report only.
  for (const hub of ["hub-a", "hub-b"])
    await site.laptop.report({ hub, heartbeat: true, news: [] });
  await site.laptop.pass(6 * 60_000);
  const id = await site.order("c1");
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
});
