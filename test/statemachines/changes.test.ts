import { describe, expect, it } from "vitest";
import { pullSecret } from "../support/api.ts";
import { wrongInBooks } from "../support/books.ts";
import { heldCreate } from "../support/matrix/cluster-worlds.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** What is asked while an operation runs: cancel, delete, another wish, retry. */

const minute = 60_000;
const resize = (size: number) => ({ spec: { node_sets: { workers: { size } } } });

async function until(site: Site, id: string, step: string, state = "WAITING"): Promise<Wire> {
  let operation: Wire;
  await site.laptop.until(async () => {
    const { body } = await site.api("GET", "operations");
    operation = body.items.findLast((item: Wire) => item.spec.target.id === id);
    return operation.status.steps.some(
      (entry: Wire) => entry.name === step && entry.state === state,
    );
  }, `${step} ${state}`);
  return operation;
}

const operationsOf = async (site: Site, id: string): Promise<Wire[]> =>
  (await site.api("GET", "operations")).body.items.filter(
    (item: Wire) => item.spec.target.id === id,
  );

it.each(["DeployControlPlane", "JoinNodes"])(
  "a create that is cancelled in %s ends CANCELLED, its cluster FAILED, and everything is given back",
  async (step) => {
    const site = await openSite();
    const id = await site.order("c1");
    const operation = await until(site, id, step);
    expect((await site.api("POST", `operations/${operation.id}/cancel`)).status).toBe(200);
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_CANCELLED");
    expect((await site.cluster(id)).status.state).toBe("CLUSTER_STATE_FAILED");
    expect(site.owned()).toEqual([]);
  },
);

it.each(["DeployControlPlane", "JoinNodes"])(
  "a delete preempts a create in %s, and leaves nothing",
  async (step) => {
    const site = await openSite();
    const id = await site.order("c1");
    await until(site, id, step);
    expect((await site.api("DELETE", `clusters/${id}`)).status).toBe(200);
    await site.settled(id);
    const [create, deletion] = await operationsOf(site, id);
    expect(create.status.state).toBe("OPERATION_STATE_CANCELLED");
    expect(deletion.status.state).toBe("OPERATION_STATE_SUCCEEDED");
    expect((await site.api("GET", `clusters/${id}`)).status).toBe(404);
    expect(site.owned()).toEqual([]);
  },
);

it("wishes made while a create runs become one operation that brings about the last of them", async () => {
  const site = await openSite();
  const id = await site.order("c1");
  await until(site, id, "DeployControlPlane");
  for (const size of [3, 5, 4])
    expect((await site.api("PATCH", `clusters/${id}`, resize(size))).status).toBe(200);
  await site.laptop.until(async () => {
    const operations = await operationsOf(site, id);
    return operations.every((operation) => operation.status.state === "OPERATION_STATE_SUCCEEDED");
  });
  expect(await operationsOf(site, id)).toHaveLength(2);
  expect((await site.cluster(id)).status.node_sets.workers).toMatchObject({ size: 4, ready: 4 });
});

it("a wish that waits behind a create that fails ends with it, and counts for a retry", async () => {
  const site = await openSite();
  site.world.faults.add({ target: "worker", operation: "JoinNodes", fault: "error" });
  const id = await site.order("c1");
  await until(site, id, "DeployControlPlane");
  await site.api("PATCH", `clusters/${id}`, resize(3));
  await site.settled(id);
  const [, update] = await operationsOf(site, id);
  expect(update.status.state).toBe("OPERATION_STATE_CANCELLED");
  expect((await site.cluster(id)).status.state).toBe("CLUSTER_STATE_FAILED");
  expect(site.owned()).toEqual([]);
  expect((await site.api("POST", `clusters/${id}/retry`)).status).toBe(200);
  await site.settled(id);
  expect((await site.cluster(id)).status).toMatchObject({
    state: "CLUSTER_STATE_READY",
    node_sets: { workers: { size: 3, ready: 3 } },
  });
});

it("a create that is stuck can be deleted: the deletion undoes what the create could not", async () => {
  const site = await openSite();
  site.world.faults.add({ target: "worker", operation: "JoinNodes", fault: "error" });
  site.world.faults.add({ target: "worker", operation: "Undo DeployControlPlane", fault: "error" });
  const id = await site.order("c1");
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_STUCK");
  expect((await site.api("DELETE", `clusters/${id}`)).status).toBe(200);
  await site.settled(id);
  expect((await site.api("GET", `clusters/${id}`)).status).toBe(404);
  expect(site.owned()).toEqual([]);
});

it("a failed order that is retried becomes READY", { tags: "smoke" }, async () => {
  const site = await openSite();
  site.world.faults.add({ target: "worker", operation: "JoinNodes", fault: "error" });
  const id = await site.order("c1");
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_FAILED");
  expect((await site.api("POST", `clusters/${id}/retry`)).status).toBe(200);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const cluster = await site.cluster(id);
  expect(cluster.status.state).toBe("CLUSTER_STATE_READY");
  expect(cluster.status.failure).toBeUndefined();
});

/** How far a retry comes before it is cancelled. */
const moments: Record<string, (site: Site, id: string) => Promise<Wire>> = {
  async "before its first step"(site, id) {
    const [, retry] = await operationsOf(site, id);
    return retry;
  },
  "at its network"(site, id) {
    site.world.faults.add({ target: "fabric", fault: "error", status: 503, count: 0 });
    return until(site, id, "CreateLayer2Network", "RUNNING");
  },
  "at its nodes": (site, id) => until(site, id, "JoinNodes"),
};

it.each(Object.entries(moments))(
  "a retry of what was held that is cancelled %s gives everything back",
  async (_, come) => {
    const site = await openSite();
    const id = await heldCreate(site);
    expect((await site.api("POST", `clusters/${id}/retry`)).status).toBe(200);
    const retry = await come(site, id);
    expect((await site.api("POST", `operations/${retry.id}/cancel`)).status).toBe(200);
    site.world.faults.clear(() => true);
    expect((await site.settled(id)).status).toMatchObject({
      state: "OPERATION_STATE_CANCELLED",
      failure: { given_back: true },
    });
    expect(site.owned()).toEqual([]);
    expect(await wrongInBooks(site)).toEqual([]);
  },
);

it("a failed order that is deleted leaves nothing", { tags: "smoke" }, async () => {
  const site = await openSite();
  site.world.faults.add({ target: "worker", operation: "JoinNodes", fault: "error" });
  const id = await site.order("c1");
  await site.settled(id);
  await site.api("DELETE", `clusters/${id}`);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await site.api("GET", `clusters/${id}`)).status).toBe(404);
});

async function readyCluster(site: Site): Promise<string> {
  const id = await site.order("c1");
  await site.settled(id);
  return id;
}

it.each([
  ["ReserveHosts", 4],
  ["ResizeNodePools", 4],
  ["ResizeNodePools", 1],
])(
  "a scale that fails in %s to %i leaves the cluster READY at its old size",
  async (step, size) => {
    const { site, brought: id } = await siteAfter(readyCluster);
    site.world.faults.add({ target: "worker", operation: step, fault: "error" });
    await site.api("PATCH", `clusters/${id}`, resize(size));
    const operation = await site.settled(id);
    expect(operation.status).toMatchObject({ state: "OPERATION_STATE_FAILED", failure: { step } });
    const cluster = await site.cluster(id);
    expect(cluster.status.state).toBe("CLUSTER_STATE_READY");
    expect(cluster.spec.node_sets.workers.size).toBe(2);
    expect(cluster.status.node_sets.workers).toMatchObject({ size: 2, ready: 2 });
    expect(site.owned().filter((thing) => /^host /i.test(thing))).toHaveLength(2);
  },
);

it("a scale whose new host fails to install gives that host back", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  site.world.faults.add({ target: "hub", operation: "install", fault: "error" });
  await site.api("PATCH", `clusters/${id}`, resize(3));
  expect((await site.settled(id)).status.failure).toMatchObject({
    step: "ResizeNodePools",
    kind: "Rejected",
  });
  expect((await site.cluster(id)).status).toMatchObject({
    state: "CLUSTER_STATE_READY",
    node_sets: { workers: { size: 2, ready: 2 } },
  });
  expect(site.owned().filter((thing) => /^host /i.test(thing))).toHaveLength(2);
});

it("a scale to more hosts than are free waits and says so, and a smaller wish goes on", async () => {
  const { site, brought: id } = await siteAfter(readyCluster);
  const { hub } = (await site.admin("GET", `clusters/${id}`)).body.status;
  const { region } = (await site.admin("GET", `hubs/${hub}`)).body.spec;
  const other = await site.order("other", {
    ...{ placement: { region } },
    node_sets: { workers: { size: 3 } },
  });
  await site.settled(other);
  await site.api("PATCH", `clusters/${id}`, resize(5));
  const waiting = await until(site, id, "ReserveHosts");
  expect(waiting.status.waiting_for).toContain("fc430");
  await site.laptop.pass(minute);
  expect((await site.api("POST", `operations/${waiting.id}/cancel`)).status).toBe(200);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_CANCELLED");
  await site.api("PATCH", `clusters/${id}`, resize(3));
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await site.cluster(id)).status.node_sets.workers).toMatchObject({ size: 3, ready: 3 });
});

it("an order that finds no hosts waits in line, and goes on by itself when another is deleted", async () => {
  const site = await openSite();
  const first = await site.order("c1", { node_sets: { workers: { size: 6 } } });
  const second = await site.order("c2", { node_sets: { workers: { size: 6 } } });
  await site.settled(first);
  await site.settled(second);
  const third = await site.order("c3", { node_sets: { workers: { size: 3 } } });
  const waiting = await until(site, third, "ReserveCapacity");
  expect(waiting.status.waiting_for).toContain("hosts of type fc430");
  await site.api("DELETE", `clusters/${first}`);
  await site.settled(first);
  expect((await site.settled(third)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
});

it.each([
  "Undo PublishCluster",
  "Undo DeployControlPlane",
  "Undo ReserveCapacity",
  "ArchiveCluster",
])("a delete that fails in %s waits for a person, and goes on to the end", async (step) => {
  const { site, brought: id } = await siteAfter(readyCluster);
  site.world.faults.add({ target: "worker", operation: step, fault: "error" });
  await site.api("DELETE", `clusters/${id}`);
  const stuck = await site.settled(id);
  expect(stuck.status).toMatchObject({ state: "OPERATION_STATE_STUCK", failure: { step } });
  const { status } = await site.cluster(id);
  expect(status).toMatchObject({ state: "CLUSTER_STATE_DELETE_FAILED", failure: { step } });
  const conditions = ["PROGRESSING", "FAILED"].map((type) =>
    status.conditions.find((each: Wire) => each.type === `CLUSTER_CONDITION_TYPE_${type}`),
  );
  expect(conditions.map((each) => each.status)).toEqual([
    "CONDITION_STATUS_FALSE",
    "CONDITION_STATUS_TRUE",
  ]);
  await site.api("POST", `operations/${stuck.id}/resume`);
  await site.laptop.until(
    // Near its end it is gone before anybody looks.
    async () => (await site.cluster(id)).status.state !== "CLUSTER_STATE_DELETE_FAILED",
    "the deletion that goes on",
  );
  expect((await site.cluster(id)).status.failure).toBeUndefined();
  await site.laptop.pass(minute);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(site.owned()).toEqual([]);
});

describe("a pull secret that is changed", () => {
  const replaced = { spec: { pull_secret: pullSecret("new") } };
  /** Pull secrets that the hubs' operators have. */
  const onHubs = (site: Site): string[] =>
    site.world.hubs().flatMap(({ cluster }) =>
      (cluster.list("HostedCluster") as Wire[]).map(({ metadata, spec }) => {
        const secret: Wire = cluster.get("Secret", metadata.namespace, spec.pullSecret.name);
        return Buffer.from(secret.data[".dockerconfigjson"], "base64").toString();
      }),
    );

  it("reaches the hub, and is in no operation", async () => {
    const site = await openSite();
    const id = await site.order("c1", { pull_secret: pullSecret("old") });
    await site.settled(id);
    expect(onHubs(site)).toEqual([pullSecret("old")]);
    expect((await site.api("PATCH", `clusters/${id}`, replaced)).status).toBe(200);
    const { status } = await site.settled(id);
    expect(status.state).toBe("OPERATION_STATE_SUCCEEDED");
    expect(onHubs(site)).toEqual([pullSecret("new")]);
    expect(JSON.stringify(await operationsOf(site, id))).not.toContain("quay.io");
    expect((await site.cluster(id)).status).toMatchObject({ state: "CLUSTER_STATE_READY" });
  });

  it("while its cluster is made is the one that it has in the end", async () => {
    const site = await openSite();
    const id = await site.order("c1", { pull_secret: pullSecret("old") });
    await until(site, id, "JoinNodes");
    expect((await site.api("PATCH", `clusters/${id}`, replaced)).status).toBe(200);
    await site.laptop.until(async () =>
      (await operationsOf(site, id)).every(
        (operation) => operation.status.state === "OPERATION_STATE_SUCCEEDED",
      ),
    );
    expect(onHubs(site)).toEqual([pullSecret("new")]);
  });
});
