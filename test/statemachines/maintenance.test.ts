import { expect, it } from "vitest";
import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import { wrongInBooks } from "../support/books.ts";
import {
  addServer,
  freeServer,
  hostOf,
  metal,
  untilHost,
  withMetal,
} from "../support/managed-hosts.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** Maintenance: hosts that a person takes out of the pool, or out of their clusters. */

const succeeded = "OPERATION_STATE_SUCCEEDED";

const ask = async (site: Site, id: string, verb: "maintain" | "release"): Promise<Wire> => {
  const { status, body } = await site.admin("POST", `hosts/${id}/${verb}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

/** A READY cluster of hosts that somebody else boots. */
async function clusterOf(site: Site, size: number): Promise<string> {
  const id = await site.order("c1", {
    node_sets: { workers: { size } },
    placement: { region: "eu-west" },
  });
  expect((await site.settled(id)).status.state).toBe(succeeded);
  return id;
}

const clusterOfTwo = (site: Site): Promise<string> => clusterOf(site, 2);

const heldBy = async (site: Site, id: string): Promise<string[]> =>
  ((await site.admin("GET", `clusters/${id}`)).body.status.hosts?.workers ?? []).toSorted();

/** How many hosts of a cluster are nodes of it. */
async function nodesOf(site: Site, id: string): Promise<number> {
  const { items } = (await site.admin("GET", "hosts")).body;
  return items.filter(
    ({ status }: Wire) =>
      status.owner?.id === id && status.agent.state === "added-to-existing-cluster",
  ).length;
}

const newest = async (site: Site, id: string): Promise<Wire> =>
  (await site.api("GET", "operations")).body.items.findLast(
    ({ spec }: Wire) => spec.target.id === id,
  );

const untilItWaits = (site: Site, id: string, words: RegExp) =>
  site.laptop.until(
    async () => words.test((await newest(site, id)).status.waiting_for ?? ""),
    `the cluster to say ${words}`,
  );

/** Takes every free host of the cluster's hub out of the pool; answers these. */
async function withoutRoom(site: Site): Promise<string[]> {
  const { items } = (await site.admin("GET", "hosts")).body;
  const free = items.filter(
    ({ spec, status }: Wire) =>
      spec.hub === "hub-a" && spec.host_type === "fc430" && status.state === "HOST_STATE_AVAILABLE",
  );
  for (const { id } of free) await ask(site, id, "maintain");
  return free.map(({ id }: Wire) => id);
}

it("a free host leaves the pool with the request, and comes back when it is released", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const [id = ""] = await withoutRoom(site);
  const { status } = await hostOf(site, id);
  expect(status).toMatchObject({
    state: "HOST_STATE_MAINTENANCE",
    maintenance: { by: expect.any(String) },
  });
  expect(status.message).toMatch(/^in maintenance since /);
  await ask(site, id, "release");
  await untilHost(site, id, "AVAILABLE");
  expect((await hostOf(site, id)).status).not.toHaveProperty("maintenance");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a free server is switched off, stays off, and is discovered again when it is released", async () => {
  const { site, brought: id } = await siteAfter(freeServer);
  await ask(site, id, "maintain");
  const isOff = async () => (await hostOf(site, id)).status.server.power === "off";
  await site.laptop.until(isOff, "the server to be off");
  await site.laptop.pass(60 * 60_000);
  expect((await hostOf(site, id)).status.state).toBe("HOST_STATE_MAINTENANCE");
  await ask(site, id, "release");
  await untilHost(site, id, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a server that is being discovered is switched off afterwards", async () => {
  const site = await openSite();
  await withMetal(site);
  const id = await addServer(site, 1);
  await untilHost(site, id, "DISCOVERING");
  await ask(site, id, "maintain");
  await untilHost(site, id, "MAINTENANCE");
  await site.laptop.pass(60 * 60_000);
  expect((await hostOf(site, id)).status).toMatchObject({
    state: "HOST_STATE_MAINTENANCE",
    server: { power: "off" },
  });
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a server in maintenance that is retired as well comes back with one release", async () => {
  const { site, brought: id } = await siteAfter(freeServer);
  await ask(site, id, "maintain");
  await site.laptop.pass(60 * 60_000);
  expect((await site.admin("POST", `hosts/${id}/retire`)).status).toBe(200);
  await untilHost(site, id, "RETIRED");
  await ask(site, id, "release");
  await untilHost(site, id, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a host of a cluster is replaced first, then leaves", async () => {
  const { site, brought: id } = await siteAfter(clusterOfTwo);
  const [gone = "", kept = ""] = await heldBy(site, id);
  const { status } = await ask(site, gone, "maintain");
  expect(status.message).toContain(`once operation '${status.maintenance.operation}'`);
  let most = 0;
  let least = 9;
  await site.laptop.until(async () => {
    const held = await heldBy(site, id);
    most = Math.max(most, held.length);
    least = Math.min(least, await nodesOf(site, id));
    return !held.includes(gone);
  }, "the host to be released");
  expect({ most, least }).toEqual({ most: 3, least: 2 });
  expect((await site.settled(id)).status.state).toBe(succeeded);
  const held = await heldBy(site, id);
  expect(held).toHaveLength(2);
  expect(held).toContain(kept);
  expect((await site.cluster(id)).status.node_sets.workers).toMatchObject({ size: 2, ready: 2 });
  await untilHost(site, gone, "MAINTENANCE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a server of a cluster is erased once it is replaced, and stays off", async () => {
  const site = await openSite();
  await withMetal(site);
  const ids = [await addServer(site, 1), await addServer(site, 2)];
  for (const id of ids) await untilHost(site, id, "AVAILABLE");
  const cluster = await site.order("c1", { template: { id: metal } });
  await site.settled(cluster);
  const [gone = ""] = await heldBy(site, cluster);
  await ask(site, gone, "maintain");
  expect((await site.settled(cluster)).status.state).toBe(succeeded);
  await untilHost(site, gone, "CLEANING");
  await untilHost(site, gone, "MAINTENANCE");
  expect((await hostOf(site, gone)).status.server).toMatchObject({
    condition: "SERVER_CONDITION_CLEAN",
    power: "off",
  });
  expect(await heldBy(site, cluster)).toEqual(ids.filter((id) => id !== gone));
  expect(await wrongInBooks(site)).toEqual([]);
});

it("without a free host it waits, says what for, and goes on when there is one", async () => {
  const { site, brought: id } = await siteAfter(clusterOfTwo);
  const others = await withoutRoom(site);
  const before = await heldBy(site, id);
  const [gone = ""] = before;
  const { metadata } = await ask(site, gone, "maintain");
  await untilItWaits(
    site,
    id,
    new RegExp(`1 host of type fc430.*, to replace host ${metadata.name}$`),
  );
  await site.laptop.pass(60 * 60_000);
  expect(await heldBy(site, id)).toEqual(before);
  expect((await site.cluster(id)).status.node_sets.workers.ready).toBe(2);
  await ask(site, others[0] ?? "", "release");
  expect((await site.settled(id)).status.state).toBe(succeeded);
  expect(await heldBy(site, id)).not.toContain(gone);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a host that is released before it has left stays", async () => {
  const { site, brought: id } = await siteAfter(clusterOfTwo);
  const others = await withoutRoom(site);
  const before = await heldBy(site, id);
  const [gone = ""] = before;
  await ask(site, gone, "maintain");
  await untilItWaits(site, id, /1 host/);
  await ask(site, gone, "release");
  expect((await site.settled(id)).status.state).toBe(succeeded);
  expect(await heldBy(site, id)).toEqual(before);
  expect((await hostOf(site, gone)).status).not.toHaveProperty("maintenance");
  for (const other of others) await ask(site, other, "release");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a host that is released while its replacement installs stays, and the other one leaves", async () => {
  const { site, brought: id } = await siteAfter(clusterOfTwo);
  const before = await heldBy(site, id);
  const [gone = ""] = before;
  await ask(site, gone, "maintain");
  await untilItWaits(site, id, /^nodes: /);
  await ask(site, gone, "release");
  expect((await site.settled(id)).status.state).toBe(succeeded);
  expect(await heldBy(site, id)).toEqual(before);
  expect((await hostOf(site, gone)).status).not.toHaveProperty("maintenance");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("no cluster replaces a host while the intake is paused, or if it was never made", async () => {
  const site = await openSite();
  const id = await clusterOf(site, 1);
  const [host = ""] = await heldBy(site, id);
  await site.admin("POST", "intake:pause");
  expect((await site.admin("POST", `hosts/${host}/maintain`)).status).toBe(503);
  await site.admin("POST", "intake:resume");
  expect((await hostOf(site, host)).status).not.toHaveProperty("maintenance");
  site.world.faults.add({ target: "worker", operation: "JoinNodes", fault: "error" });
  const held = await site.order("c2", {
    template: { id: "ocp_4_17_single_node" },
    template_parameters: { site: "edge" },
  });
  expect((await site.settled(held)).status.state).toBe("OPERATION_STATE_FAILED");
  const { items } = (await site.admin("GET", "hosts")).body;
  const left = items.find(({ status }: Wire) => status.owner?.id === held);
  const { status, body } = await site.admin("POST", `hosts/${left.id}/maintain`);
  expect(status).toBe(400);
  expect(body.message).toContain("retry the cluster or delete it first");
});

it("two hosts of one cluster are replaced one change after the other, and none twice", async () => {
  const site = await openSite();
  const id = await clusterOf(site, 3);
  const [first = "", second = "", kept = ""] = await heldBy(site, id);
  const [one, two] = [await ask(site, first, "maintain"), await ask(site, second, "maintain")];
  expect(two.status.maintenance.operation).not.toBe(one.status.maintenance.operation);
  const again = await ask(site, first, "maintain");
  expect(again.status.maintenance).toEqual(one.status.maintenance);
  expect((await site.settled(id)).status.state).toBe(succeeded);
  const held = await heldBy(site, id);
  expect(held).toHaveLength(3);
  expect(held).toContain(kept);
  expect(held).not.toContain(first);
  expect(held).not.toContain(second);
  const { items } = (await site.api("GET", "operations")).body;
  expect(items.filter(({ spec }: Wire) => spec.target.id === id)).toHaveLength(3);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a change of sizes that waits behind a replacement takes further hosts along", async () => {
  const { site, brought: id } = await siteAfter(clusterOfTwo);
  const [first = "", second = ""] = await heldBy(site, id);
  await ask(site, first, "maintain");
  await site.api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size: 3 } } } });
  await ask(site, second, "maintain");
  expect((await site.settled(id)).status.state).toBe(succeeded);
  const held = await heldBy(site, id);
  expect(held).toHaveLength(3);
  expect(held).not.toContain(first);
  expect(held).not.toContain(second);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a host of a cluster that is being made is replaced once the cluster is there", async () => {
  const site = await openSite();
  const id = await site.order("c1", { placement: { region: "eu-west" } });
  await site.laptop.until(async () => (await heldBy(site, id)).length === 2, "hosts");
  const [gone = ""] = await heldBy(site, id);
  await ask(site, gone, "maintain");
  expect((await site.settled(id)).status.state).toBe(succeeded);
  expect(await heldBy(site, id)).not.toContain(gone);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a replacement that does not install leaves, the host stays, and can be maintained again", async () => {
  const { site, brought: id } = await siteAfter(clusterOfTwo);
  const before = await heldBy(site, id);
  const [gone = ""] = before;
  site.world.faults.add({ target: "hub", operation: "install", fault: "error" });
  const first = await ask(site, gone, "maintain");
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_FAILED");
  expect(await heldBy(site, id)).toEqual(before);
  expect((await site.cluster(id)).status.node_sets.workers).toMatchObject({ size: 2, ready: 2 });
  const second = await ask(site, gone, "maintain");
  expect(second.status.maintenance.operation).not.toBe(first.status.maintenance.operation);
  expect((await site.settled(id)).status.state).toBe(succeeded);
  expect(await heldBy(site, id)).not.toContain(gone);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a host that dies while it leaves is let go once its hub has no agent of it any more", async () => {
  const { site, brought: id } = await siteAfter(clusterOfTwo);
  const [gone = ""] = await heldBy(site, id);
  const { agent } = (await hostOf(site, gone)).status;
  const held = { target: "hub", operation: "reclaim", fault: "hold", count: 0 } as const;
  site.world.faults.add(held);
  await ask(site, gone, "maintain");
  await untilItWaits(site, id, /hosts to be reclaimed: 1 of workers/);
  await site.laptop.pass(60 * 60_000);
  expect(await heldBy(site, id)).toHaveLength(3);
  const hub = site.world
    .hubs()
    .find((each) => each.cluster.get("Agent", agentNamespace, agent.name));
  hub?.cluster.delete("Agent", agentNamespace, agent.name);
  expect((await site.settled(id)).status.state).toBe(succeeded);
  expect(await heldBy(site, id)).toHaveLength(2);
  expect(await heldBy(site, id)).not.toContain(gone);
});

it("the deletion of the cluster comes first, and the host stays out of the pool", async () => {
  const { site, brought: id } = await siteAfter(clusterOfTwo);
  const [gone = "", other = ""] = await heldBy(site, id);
  await ask(site, gone, "maintain");
  await untilItWaits(site, id, /^nodes: /);
  expect((await site.api("DELETE", `clusters/${id}`)).status).toBe(200);
  await site.laptop.until(async () => (await site.api("GET", `clusters/${id}`)).status === 404);
  await untilHost(site, gone, "MAINTENANCE");
  await untilHost(site, other, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a host of a cluster that is being deleted is kept when it comes back", async () => {
  const { site, brought: id } = await siteAfter(clusterOfTwo);
  const [gone = ""] = await heldBy(site, id);
  await site.api("DELETE", `clusters/${id}`);
  const { status } = await ask(site, gone, "maintain");
  expect(status.maintenance).not.toHaveProperty("operation");
  await site.laptop.until(async () => (await site.api("GET", `clusters/${id}`)).status === 404);
  await untilHost(site, gone, "MAINTENANCE");
  expect(await wrongInBooks(site)).toEqual([]);
});
