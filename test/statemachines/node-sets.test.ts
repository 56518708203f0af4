import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** Node sets that come, go and change their size, through the saga and the simulated hubs. */

const minute = 60_000;

/** Of two servers, with host types to choose from for what is added. */
async function readyCluster(site: Site): Promise<string> {
  const made = await site.admin("POST", "cluster_templates", {
    id: "mixed",
    metadata: { name: "mixed" },
    node_sets: { workers: { host_type: "fc430", size: 2 } },
    allowed_host_types: ["h100"],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const id = await site.order("c1", { template: "mixed" });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

const wish = (node_sets: object) => ({ spec: { node_sets } });
const gpu = (size: number) => ({ host_type: { name: "h100" }, size });

async function changed(site: Site, id: string, node_sets: object): Promise<Wire> {
  const { status, body } = await site.api("PATCH", `clusters/${id}`, wish(node_sets));
  expect(status, JSON.stringify(body)).toBe(200);
  return site.settled(id);
}

/** The node pools on all hubs, with the size that is asked of them. */
function poolsOf({ world }: Site): Record<string, number> {
  const pools = world.hubs().flatMap(({ cluster }) => cluster.list("NodePool"));
  return Object.fromEntries(
    pools.map(({ metadata, spec }) => [
      metadata.labels?.["slipway.dev/node-set"] ?? metadata.name,
      (spec as { replicas: number }).replicas,
    ]),
  );
}

/** The cluster is well and has exactly these nodes; nothing else is held, listed or left anywhere. */
async function expectNodes(site: Site, id: string, sizes: Record<string, number>): Promise<void> {
  const { spec, status } = (await site.admin("GET", `clusters/${id}`)).body;
  expect(status.state).toBe("CLUSTER_STATE_READY");
  const sizesIn = (sets: Record<string, { size: number }>) =>
    Object.fromEntries(Object.entries(sets).map(([name, { size }]) => [name, size]));
  expect(sizesIn(spec.node_sets)).toEqual(sizes);
  expect(sizesIn(status.node_sets)).toEqual(sizes);
  const ready = Object.entries<Wire>(status.node_sets).map(([name, set]) => [name, set.ready]);
  expect(Object.fromEntries(ready)).toEqual(sizes);
  const held = Object.entries<string[]>(status.hosts);
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  expect(Object.fromEntries(held.map(([name, hosts]) => [name, hosts.length]))).toEqual(sizes);
  expect(new Set(held.flatMap(([, hosts]) => hosts)).size).toBe(total);
  expect(poolsOf(site)).toEqual(sizes);
  expect(site.owned().filter((thing) => /^host /i.test(thing))).toHaveLength(total);
  await site.laptop.pass(10 * minute);
  expect(await wrongInBooks(site)).toEqual([]);
}

async function expectNothingLeft(site: Site, id: string): Promise<void> {
  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
}

it("two node sets of one host type have hosts and a node pool each", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const made = await site.admin("POST", "cluster_templates", {
    id: "twins",
    metadata: { name: "twins" },
    node_sets: {
      workers: { host_type: "fc430", size: 2 },
      infra: { host_type: "fc430", size: 1 },
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const id = await site.order("c1", { template: "twins", node_sets: { infra: { size: 3 } } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  await expectNodes(site, id, { workers: 2, infra: 3 });
  await changed(site, id, { workers: { size: 3 }, infra: { size: 1 } });
  await expectNodes(site, id, { workers: 3, infra: 1 });
  await changed(site, id, { workers: { size: 3 } });
  await expectNodes(site, id, { workers: 3 });
  await expectNothingLeft(site, id);
});

it("a node set is added, and removed again: its hosts and its pool go with it", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  const operation = await changed(site, id, { workers: { size: 2 }, gpu: gpu(2) });
  expect(operation.status.state).toBe("OPERATION_STATE_SUCCEEDED");
  await expectNodes(site, id, { workers: 2, gpu: 2 });
  await changed(site, id, { workers: { size: 2 } });
  await expectNodes(site, id, { workers: 2 });
  await expectNothingLeft(site, id);
});

it("one change adds, removes and resizes; the pool that goes is empty before it is removed", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  await changed(site, id, { workers: { size: 3 }, gpu: gpu(1) });
  site.calls.length = 0;
  await changed(site, id, { workers: { size: 1 }, more: { host_type: "fc430", size: 2 } });
  await expectNodes(site, id, { workers: 1, more: 2 });
  const onPool = site.calls.flatMap((call) =>
    /nodepools\/.*-gpu$/.test(call) ? [call.split(" ")[0]] : [],
  );
  expect(onPool).toEqual(["PATCH", "DELETE"]);
  await expectNothingLeft(site, id);
});

it("all node sets are replaced by another", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  await changed(site, id, { gpu: gpu(3) });
  await expectNodes(site, id, { gpu: 3 });
  await expectNothingLeft(site, id);
});

it("a cluster goes to zero nodes and back", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  expect((await changed(site, id, { workers: { size: 0 } })).status.state).toBe(
    "OPERATION_STATE_SUCCEEDED",
  );
  await expectNodes(site, id, { workers: 0 });
  await changed(site, id, { workers: { size: 2 } });
  await expectNodes(site, id, { workers: 2 });
  await expectNothingLeft(site, id);
});

it("a node set for which hosts are short waits, and is given up when it is cancelled", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  const before = await site.cluster(id);
  const { hub } = (await site.admin("GET", `clusters/${id}`)).body.status;
  const { items } = (await site.admin("GET", "hosts")).body;
  const [out] = items.filter(({ spec }: Wire) => spec.hub === hub && spec.host_type === "h100");
  expect((await site.admin("POST", `hosts/${out.id}/maintain`)).status).toBe(200);
  await site.api("PATCH", `clusters/${id}`, wish({ workers: { size: 3 }, gpu: gpu(6) }));
  let operation: Wire;
  await site.laptop.until(async () => {
    operation = (await site.api("GET", "operations")).body.items.at(-1);
    return operation.status.waiting_for !== undefined;
  });
  expect(operation.status.waiting_for).toContain("h100");
  expect((await site.cluster(id)).status.node_sets).toMatchObject({
    workers: { size: 2 },
    gpu: { size: 0, ready: 0 },
  });
  expect((await site.api("POST", `operations/${operation.id}/cancel`)).status).toBe(200);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_CANCELLED");
  expect((await site.cluster(id)).spec).toEqual(before.spec);
  await expectNodes(site, id, { workers: 2 });
  await expectNothingLeft(site, id);
});

it("a change that waits for hosts goes on when another cluster gives its node set back", async () => {
  const { site, brought: first } = await siteAfter(readyCluster);
  await changed(site, first, { workers: { size: 2 }, gpu: gpu(6) });
  const { hub } = (await site.admin("GET", `clusters/${first}`)).body.status;
  const region = hub === "hub-a" ? "eu-west" : "us-east";
  const second = await site.order("c2", { template: "mixed", placement: { region } });
  await site.settled(second);
  await site.api("PATCH", `clusters/${second}`, wish({ workers: { size: 1 }, gpu: gpu(2) }));
  await site.laptop.pass(minute);
  await changed(site, first, { workers: { size: 2 } });
  expect((await site.settled(second)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await site.cluster(second)).status.node_sets).toMatchObject({
    workers: { size: 1, ready: 1 },
    gpu: { size: 2, ready: 2 },
  });
  expect(await wrongInBooks(site)).toEqual([]);
});

it.each(["ResizeNodePools", "ReleaseHosts"])(
  "a change that fails in %s leaves the node sets of before, and says why",
  async (step) => {
    const { site, brought: id } = await siteAfter(readyCluster);
    await changed(site, id, { workers: { size: 2 }, gpu: gpu(1) });
    const before = await site.cluster(id);
    site.world.faults.add({ target: "worker", operation: step, fault: "error" });
    const change = { workers: { size: 1 }, more: { host_type: "fc430", size: 2 } };
    expect((await changed(site, id, change)).status).toMatchObject({
      state: "OPERATION_STATE_FAILED",
      failure: { step },
    });
    const after = await site.cluster(id);
    expect(after.spec).toEqual(before.spec);
    expect(after.status.failure).toMatchObject({ step });
    const failed = after.status.conditions.find(
      ({ type }: Wire) => type === "CLUSTER_CONDITION_TYPE_FAILED",
    );
    expect(failed.status).toBe("CONDITION_STATUS_FALSE");
    await expectNodes(site, id, { workers: 2, gpu: 1 });
    await changed(site, id, change);
    await expectNodes(site, id, { workers: 1, more: 2 });
    expect((await site.cluster(id)).status).not.toHaveProperty("failure");
    await expectNothingLeft(site, id);
  },
);

it("a change whose wish was overtaken fails, and the newer wish is brought about", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  site.world.faults.add({ target: "worker", operation: "ResizeNodePools", fault: "error" });
  await site.api("PATCH", `clusters/${id}`, wish({ workers: { size: 3 }, gpu: gpu(1) }));
  await site.api("PATCH", `clusters/${id}`, wish({ gpu: gpu(2) }));
  await site.laptop.until(async () => {
    const { items } = (await site.api("GET", "operations")).body;
    return items.length === 3 && items.every((item: Wire) => item.status.end_time);
  });
  const { items } = (await site.api("GET", "operations")).body;
  expect(items.map((item: Wire) => item.status.state)).toEqual([
    "OPERATION_STATE_SUCCEEDED",
    "OPERATION_STATE_FAILED",
    "OPERATION_STATE_SUCCEEDED",
  ]);
  await expectNodes(site, id, { gpu: 2 });
  await expectNothingLeft(site, id);
});
