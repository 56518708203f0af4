import { expect, it } from "vitest";
import { AppError } from "../../core/error.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import type { StepContext } from "../../core/kernel/saga/context.ts";
import { type Cluster, wantedNodeSets } from "../../core/resources/cluster/model.ts";
import { addFinalizer, removeFinalizer } from "../../sim/operators/finalizers.ts";
import { nodesAt } from "../../statemachines/steps/cluster/join-nodes.ts";
import {
  newcomersReleased,
  releaseNewcomers,
} from "../../statemachines/steps/cluster/release-hosts.ts";
import {
  nodeSetsArrived,
  upgradeNodeSets,
} from "../../statemachines/steps/cluster/upgrade-node-sets.ts";
import { validating } from "../../statemachines/steps/cluster/validate.ts";
import { attemptAt } from "../support/attempt.ts";
import { wrongInBooks } from "../support/books.ts";
import type { Outside } from "../support/outside.ts";
import { recordsIn } from "../support/records.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** What steps wait for before the next may rely on it, with a world in which just that does not come about. */

const minute = 60_000;

const job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "smoke" },
  spec: {
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "smoke", image: "quay.io/acme/smoke:1" }],
      },
    },
  },
};

/** Two node sets, and a test of the template's own. */
const template = {
  id: "tested",
  metadata: { name: "tested" },
  node_sets: {
    workers: { host_type: "fc430", size: 2 },
    infra: { host_type: "fc430", size: 1 },
  },
  validation: { timeout_minutes: 30, workload: [job] },
};

async function readyCluster(site: Site): Promise<string> {
  const made = await site.admin("POST", "cluster_templates", template);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const id = await site.order("c1", { template: "tested" });
  const { status } = await site.settled(id);
  expect(status.state, JSON.stringify(status.failure)).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

const recordOf = ({ laptop }: Site, id: string): Promise<Cluster> =>
  mustLoad(recordsIn(laptop.store), "cluster", id);

const wish = (site: Site, id: string, spec: object) =>
  site.api("PATCH", `clusters/${id}`, { spec });
const sized = (workers: number) => ({
  node_sets: { workers: { size: workers }, infra: { size: 1 } },
});

async function operationOn(site: Site, id: string): Promise<Wire> {
  const { body } = await site.api("GET", "operations");
  return body.items.findLast((item: Wire) => item.spec.target.id === id);
}

/** What the newest operation on the cluster waits for, once it waits in this step. */
async function waitIn(site: Site, id: string, step: string): Promise<Wire> {
  let wait: Wire;
  await site.laptop.until(async () => {
    const { state, waiting = [] } = (await operationOn(site, id)).status;
    expect(state).toMatch(/PENDING|RUNNING/);
    wait = waiting.find((one: Wire) => one.step === step);
    return wait !== undefined;
  }, `a wait in ${step}`);
  return wait;
}

/** What a step of the running operation is given. */
async function contextOf(site: Site, id: string, step: string) {
  const { operation } = await recordOf(site, id);
  if (!operation) throw new Error("the cluster has no operation");
  // The target of this operation is a cluster.
  return (await attemptAt(site.laptop.deps, operation, step)) as StepContext<Cluster>;
}

const held = ({ placement }: Cluster): string[] => Object.values(placement?.hosts ?? {}).flat();
const ports = (site: Site) => site.owned().filter((thing) => thing.startsWith("port_binding"));

it("a deletion waits until no agent tells of an address in the cluster's network, and says whose", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  const { body: hosts } = await site.admin("GET", "hosts");
  const names: string[] = hosts.items.flatMap(({ metadata, status }: Wire) =>
    status.owner?.id === id ? [metadata.name] : [],
  );
  site.world.faults.add({ target: "hub", operation: "network", fault: "hold" });
  await site.api("DELETE", `clusters/${id}`);
  await site.laptop.until(() => ports(site).length === 0, "the ports to go");
  await site.laptop.pass(10 * minute);
  const { message } = await waitIn(site, id, "Undo AttachHosts");
  expect(message).toContain("hosts to leave the network 10.64.0.0/24: ");
  for (const name of names) expect(message).toContain(name);
  expect(names).toHaveLength(3);
  site.world.faults.clear();
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a deletion ends only when its hosts are reclaimed", { tags: "smoke" }, async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  site.world.faults.add({ target: "hub", operation: "reclaim", fault: "hold" });
  await site.api("DELETE", `clusters/${id}`);
  await site.laptop.pass(40 * minute);
  expect((await waitIn(site, id, "Undo ReserveCapacity")).message).toMatch(
    /^3 hosts to be reclaimed; .* is discovering-unbound/,
  );
  expect(held(await recordOf(site, id))).toHaveLength(3);
  site.world.faults.clear();
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("hosts are released when the node pool has gone that they were in; cancelled before that, the former size comes back", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  const { cluster: hub } = site.world.hub("hub-a");
  const pool = hub.list("NodePool").find(({ metadata }) => metadata.name.endsWith("-infra"));
  if (!pool) throw new Error("there is no node pool of infra");
  const hold = "example.com/hold";
  addFinalizer(hub, pool, hold);
  await wish(site, id, { node_sets: { workers: { size: 2 } } });
  await waitIn(site, id, "ReleaseHosts");
  await site.laptop.pass(10 * minute);
  expect((await waitIn(site, id, "ReleaseHosts")).message).toBe("node pools to be gone: infra");
  expect(held(await recordOf(site, id))).toHaveLength(2);

  const { id: operation } = await operationOn(site, id);
  expect((await site.api("POST", `operations/${operation}/cancel`)).status).toBe(200);
  await site.laptop.pass(minute);
  removeFinalizer(hub, pool, hold);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_CANCELLED");
  const { spec, status } = await site.cluster(id);
  expect(status.state).toBe("CLUSTER_STATE_READY");
  expect(spec.node_sets).toMatchObject({ workers: { size: 2 }, infra: { size: 1 } });
  expect(status.node_sets).toMatchObject({ workers: { ready: 2 }, infra: { ready: 1 } });
  await site.laptop.pass(10 * minute);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("new hosts are released once their agents have left the cluster's network", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  const { faults } = site.world;
  // Nothing is changed on the hub, so that the new host stays one that no node pool has taken.
  faults.add({ target: "hub", operation: "PATCH", fault: "error", status: 503, count: 0 });
  await wish(site, id, sized(3));
  const isThere = async () =>
    (await operationOn(site, id)).status.steps.some(
      ({ name, state }: Wire) => name === "AttachHosts" && state === "SUCCEEDED",
    );
  await site.laptop.until(isThere, "the new host in the network");
  faults.add({ target: "hub", operation: "network", fault: "hold" });
  const context = await contextOf(site, id, "Undo ReserveHosts");
  await releaseNewcomers(await context.latest(), context);
  const cluster = await context.latest();
  expect(ports(site)).toHaveLength(6);
  expect(held(cluster)).toHaveLength(4);
  expect(await newcomersReleased(cluster, context)).toMatchObject({
    done: false,
    waitingFor: expect.stringContaining("hosts to leave the network 10.64.0.0/24: "),
  });
});

/** The record of a cluster at rest, with what a step is given that only reads. */
async function atRest(site: Site, id: string) {
  const cluster = await recordOf(site, id);
  const { deps } = site.laptop;
  const operation = await mustLoad(deps, "operation", (await operationOn(site, id)).id);
  const { workers, infra } = cluster.observed.node_pools;
  if (!workers || !infra) throw new Error("a node pool is missing");
  return { cluster, pools: { workers, infra }, context: { deps, operation, step: "a test" } };
}

const seeing = (cluster: Cluster, node_pools: Cluster["observed"]["node_pools"]): Cluster => ({
  ...cluster,
  observed: { ...cluster.observed, node_pools },
});

it("a node pool that has its size and was seen before it was asked for it is waited for", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  const { cluster, pools, context } = await atRest(site, id);
  const sets = wantedNodeSets(cluster);
  expect(await nodesAt(cluster, sets, context)).toEqual({ done: true });
  const before = seeing(cluster, { ...pools, workers: { ...pools.workers, desired: 3 } });
  expect(await nodesAt(before, sets, context)).toMatchObject({
    done: false,
    waitingFor: expect.stringContaining("workers 2 of 2"),
  });
});

it("a node set is not kept waiting by the host that it replaces, but by any other", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  const { cluster, pools, context } = await atRest(site, id);
  const sets = wantedNodeSets(cluster);
  const [dead, other] = cluster.placement?.hosts.workers ?? [];
  const lame = { ...pools.workers, replicas: 1, ready: false };
  const without = (host: string | undefined): Cluster => ({
    ...seeing(cluster, { ...pools, workers: lame }),
    ...(host !== undefined && { replacing: [{ id: host, name: host }] }),
  });
  expect(await nodesAt(without(dead), sets, context)).toEqual({ done: true });
  expect(await nodesAt(without(undefined), sets, context)).toMatchObject({ done: false });
  await changeObject(context.deps, "host", other ?? "", ({ status, ...host }) => ({
    ...host,
    status: { ...status, ...(status.agent && { agent: { ...status.agent, state: "installing" } }) },
  }));
  expect(await nodesAt(without(dead), sets, context)).toMatchObject({
    done: false,
    waitingFor: expect.stringContaining("workers 1 of 2 (hosts are installing)"),
  });
});

it("the next node set is told of its upgrade at once when one has arrived", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  const { upgrading } = await oneSetBehind(site, id);
  expect(nodeSetsArrived(upgrading)).toMatchObject({ done: false, lookAgain: 0 });
});

it("an upgrade that was cancelled does not note that the next node set was told", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  const { upgrading } = await oneSetBehind(site, id);
  await wish(site, id, sized(3));
  const context = await contextOf(site, id, "UpgradeNodeSets");
  const noted: unknown[] = [];
  const told = upgradeNodeSets(upgrading, {
    ...context,
    guard: async () => {
      throw new AppError("Cancelled", "cancelled by alice");
    },
    change: async (edit) => {
      noted.push(edit(upgrading));
      return upgrading;
    },
  });
  await expect(told).rejects.toMatchObject({ kind: "Cancelled" });
  expect(noted).toEqual([]);
});

/** A cluster whose control plane has arrived at another release, with infra, and whose workers are behind. */
async function oneSetBehind(site: Site, id: string) {
  const { cluster, pools } = await atRest(site, id);
  const { release, spec } = cluster;
  const to = { version: "4.18.1", image: "quay.io/acme/release:4.18.1" };
  const upgrading: Cluster = {
    ...cluster,
    release: to,
    node_set_releases: { workers: release },
    upgrade: { from: { version: spec.version, release }, to },
  };
  const infra = { ...pools.infra, version: to.version };
  return { upgrading: seeing(upgrading, { ...pools, infra }) };
}

/** A hub that has not seen yet that the version is rolled out. */
const lagging: Outside = async (request, send) => {
  const answer = await send();
  if (request.method !== "GET" || !/\/hostedclusters/.test(request.url)) return answer;
  const text = (await answer.text())
    .replaceAll('"Completed"', '"Partial"')
    // Another state of the object than the one that the agent has told of.
    .replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":"99999999"');
  return new Response(text, { status: answer.status, headers: answer.headers });
};

it("a cluster whose version the hub has not seen rolled out is not validated yet", async () => {
  let outside: Outside = (_, send) => send();
  const { site, brought: id } = await siteAfter(readyCluster, {
    outside: (request, send) => outside(request, send),
  });
  site.world.faults.add({
    target: "hub",
    operation: "PATCH",
    fault: "error",
    status: 503,
    count: 0,
  });
  await wish(site, id, sized(1));
  const context = await contextOf(site, id, "ValidateCluster");
  const { act, look, until } = validating(minute);
  const validated = async () => {
    await act?.(await context.latest(), context);
    await look?.(await context.latest(), context);
    return until?.(await context.latest(), context);
  };
  outside = lagging;
  expect(await validated()).toMatchObject({
    done: false,
    waitingFor: "the hub to see the version rolled out",
  });
});

/** How often the template's test was begun since the calls were counted, and its namespace removed. */
const tests = ({ calls }: Site) => ({
  begun: calls.some((call) => /^PATCH .*\/jobs\/smoke$/.test(call)),
  removed: calls.some((call) => /^DELETE .*\/namespaces\/slipway-[a-z]+$/.test(call)),
});

it("an upgrade runs the template's test again", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  site.calls.length = 0;
  await wish(site, id, { version: "4-18-1" });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(tests(site)).toEqual({ begun: true, removed: true });
});

it("a retry of a create that was held configures and tests again, and forgets what failed", async () => {
  const site = await openSite();
  await site.admin("POST", "cluster_templates", {
    ...template,
    on_failure: "hold",
    node_sets: { workers: { host_type: "fc430", size: 1 } },
  });
  site.world.faults.add({ target: "worker", operation: "PublishCluster", fault: "error" });
  const id = await site.order("c1", { template: "tested" });
  expect((await site.settled(id)).status).toMatchObject({
    state: "OPERATION_STATE_FAILED",
    failure: { step: "PublishCluster", given_back: false },
  });
  site.calls.length = 0;
  await site.api("POST", `clusters/${id}/retry`);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(tests(site)).toEqual({ begun: true, removed: true });
  expect(site.calls.some((call) => /^PATCH .*ipaddresspools/.test(call))).toBe(true);
});
