import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seconds, sleep, systemClock } from "../../../../../../core/clock.ts";
import type { AppError } from "../../../../../../core/error.ts";

import { KubernetesHub } from "../../../../../../core/ports/hub/kubernetes-hub.ts";
import { HubApi } from "../../../../../../core/ports/kubernetes/api.ts";
import { Breaker } from "../../../../../../core/ports/kubernetes/breaker.ts";
import { hostedKinds } from "../../../../../../sim/kinds.ts";
import { kubernetesApi } from "../../../../../../sim/kubernetes/api.ts";
import { KubeCluster } from "../../../../../../sim/kubernetes/cluster.ts";
import { deployment } from "../../../../../support/deployment.ts";
import { eventually } from "../../../../../support/eventually.ts";
import { failureOf } from "../../../../../support/failure.ts";
import { refusal, serveHub, servePlain, TestHub } from "../../../../../support/hub-api.ts";
import { VirtualClock } from "../../../../../support/virtual-clock.ts";

const order = deployment();
const { namespace } = order;

let hub: TestHub;
let server: Awaited<ReturnType<typeof servePlain>>;
let client: KubernetesHub;

beforeEach(async () => {
  hub = new TestHub();
  for (const name of ["agent-1", "agent-2", "agent-3", "spare"]) hub.createAgent(name);
  server = await servePlain(hub.fetch);
  client = new KubernetesHub({ connection: server.connection, wall: systemClock });
});

afterEach(async () => {
  await server.close();
  await client.close();
});

/** Every request of a method whose path has the part gets this answer, `times` times. */
function answer(method: string, part: string, response: () => Response, times = Infinity): void {
  let left = times;
  hub.intercept = (request) => {
    if (request.method !== method || !request.url.includes(part) || left === 0) return undefined;
    left -= 1;
    return response();
  };
}

const setStatus = (kind: string, name: string, status: object) => {
  const object = hub.cluster.get(kind, namespace, name);
  if (!object) throw new Error(`there is no ${kind} ${name}`);
  hub.cluster.update({ ...object, status }, { subresource: "status" });
};

describe("the control plane", () => {
  it("is applied by server-side apply, by force, under one field manager", async () => {
    await client.clusters.ensureControlPlane(order);
    const patches = hub.requests.filter(({ method }) => method === "PATCH");
    expect(patches).toHaveLength(8);
    for (const { url, headers } of patches) {
      expect(new URL(url).search).toBe("?fieldManager=slipway&force=true");
      expect(headers.get("content-type")).toBe("application/apply-patch+yaml");
    }
    const secret = hub.cluster.get("Secret", namespace, "pullsecret-cluster-abcdefghij");
    expect(secret?.data).toEqual({
      ".dockerconfigjson": Buffer.from(order.pullSecret).toString("base64"),
    });
    expect(hub.cluster.get("HostedCluster", namespace, "abcdefghij")).toBeDefined();
  });

  it("many calls share a kept-alive connection", async () => {
    await client.clusters.ensureControlPlane(order);
    await client.clusters.ensureNodePools(order);
    await client.clusters.read(order);
    expect(hub.requests.length).toBeGreaterThan(20);
    // A second is opened when a call comes before the one before it has quite let go of the first.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });
});

describe("node pools", () => {
  beforeEach(() => client.clusters.ensureControlPlane(order));

  it("their agents are labelled and approved before the pool is there", async () => {
    await client.clusters.ensureNodePools(order);
    expect(hub.agent("agent-3")).toMatchObject({
      metadata: { labels: { "slipway.dev/cluster": order.id, "slipway.dev/node-set": "gpu" } },
      spec: { approved: true },
    });
    expect(hub.agent("spare")?.metadata.labels).toBeUndefined();
    const writes = hub.requests
      .filter(({ method }) => method === "PATCH")
      .map(({ url }) => new URL(url).pathname.split("/").at(-1));
    expect(writes.slice(-5)).toEqual([
      "agent-1",
      "agent-2",
      "abcdefghij-workers",
      "agent-3",
      "abcdefghij-gpu",
    ]);
  });

  it("an agent that somebody else changed in between is read again", async () => {
    let meddled = false;
    hub.intercept = (request) => {
      if (request.method === "PATCH" && request.url.includes("/agents/agent-1") && !meddled) {
        meddled = true;
        const agent = hub.agent("agent-1");
        if (agent) hub.cluster.update({ ...agent, spec: { approved: false, role: "worker" } });
      }
      return undefined;
    };
    await client.clusters.ensureNodePools(order);
    expect(hub.agent("agent-1")?.spec).toEqual({ approved: true, role: "worker" });
  });

  it("one that is never left in peace ends Unavailable after a bounded number of tries", async () => {
    answer("PATCH", "/agents/", () => refusal(409, "Conflict", "the object has been modified"));
    await expect(client.clusters.ensureNodePools(order)).rejects.toMatchObject({
      kind: "Unavailable",
    });
    const tries = hub.requests.filter(
      ({ method, url }) => method === "PATCH" && url.includes("/agents/"),
    );
    expect(tries).toHaveLength(5);
  });
});

describe("what a hub answers becomes one of our errors", () => {
  const apply = () =>
    client.clusters.ensureControlPlane(order).then(
      () => undefined,
      (error: AppError) => error,
    );

  it("a refusal is Rejected with the server's own message", async () => {
    const message = 'HostedCluster.hypershift.openshift.io "x" is invalid: spec.dns: Invalid value';
    answer("PATCH", "/hostedclusters/", () => refusal(422, "Invalid", message));
    expect(await apply()).toMatchObject({ kind: "Rejected", message });
  });

  it.each([401, 408, 429, 500, 502, 503, 504])("%i is Unavailable", async (code) => {
    answer("PATCH", "/", () => refusal(code, "Whatever", "no"));
    expect(await apply()).toMatchObject({ kind: "Unavailable" });
  });

  it("a page of a proxy that is in the way is Unavailable", async () => {
    answer(
      "GET",
      "/",
      () => new Response("<html>hello</html>", { headers: { "content-type": "text/html" } }),
    );
    expect(await apply()).toMatchObject({ kind: "Unavailable" });
  });

  it("nobody there is Unavailable", async () => {
    await server.close();
    expect(await apply()).toMatchObject({
      kind: "Unavailable",
      message: "the hub does not answer",
    });
    server = await servePlain(hub.fetch);
  });

  it("no answer in time is Unavailable", async () => {
    const slow = new KubernetesHub({
      connection: server.connection,
      wall: systemClock,
      timeout: 20,
    });
    hub.intercept = () => new Promise<Response>(() => {});
    await expect(slow.probe()).rejects.toMatchObject({ kind: "Unavailable" });
    await slow.close();
  });

  it("waits longer for a write than the server may take with its webhooks, and not so for a read", async () => {
    await client.clusters.ensureControlPlane(order);
    hub.requests.length = 0;
    const wall = new VirtualClock();
    const patient = new KubernetesHub({ connection: server.connection, wall, fetch: slowly });
    /** As a server answers whose webhook hangs for half a minute, of which it is told to think nothing. */
    async function slowly(input: string | URL | Request, init?: RequestInit): Promise<Response> {
      await sleep(wall, seconds(30), init?.signal ?? undefined);
      return hub.fetch(new Request(input, init));
    }
    expect(await failureOf(wall.until(patient.probe()))).toMatchObject({
      message: "the hub does not answer",
    });
    // What only asks is a POST, too.
    const api = new HubApi({ connection: server.connection, wall, timeout: 10_000, fetch: slowly });
    const right = { verb: "get", group: "", resource: "nodes" };
    const asked: (() => Promise<unknown>)[] = [() => api.username(), () => api.isAllowed(right)];
    for (const ask of asked)
      expect(await failureOf(wall.until(ask()))).toMatchObject({ kind: "Unavailable" });
    await api.close();
    await wall.until(patient.clusters.ensurePullSecret(order));
    expect(hub.requests.map(({ method }) => method)).toContain("PATCH");
    await patient.close();
  });

  it("a namespace that is still being removed is Unavailable, so the order waits", async () => {
    const status = {
      kind: "Status",
      code: 403,
      reason: "Forbidden",
      message: "unable to create new content in namespace because it is being terminated",
      details: { causes: [{ reason: "NamespaceTerminating" }] },
    };
    answer("PATCH", "/serviceaccounts/", () => Response.json(status, { status: 403 }));
    expect(await apply()).toMatchObject({ kind: "Unavailable" });
  });

  it("what a server says about a secret is repeated nowhere", async () => {
    answer("PATCH", "/secrets/", () =>
      refusal(422, "Invalid", `bad value ${order.pullSecret} SECRET`),
    );
    const error = await apply();
    expect(error).toMatchObject({ kind: "Rejected" });
    expect(JSON.stringify([error?.message, error?.detail, String(error?.cause)])).not.toContain(
      "SECRET",
    );
  });

  it("a conflict of an apply is tried again", async () => {
    answer("PATCH", "/namespaces/", () => refusal(409, "Conflict", "busy"), 2);
    expect(await apply()).toBeUndefined();
  });

  it("a hub that failed too often is not called for a while", async () => {
    const breaker = new Breaker({ clock: systemClock, threshold: 2, rest: 60_000 });
    const careful = new KubernetesHub({
      connection: server.connection,
      wall: systemClock,
      breaker,
    });
    answer("GET", "/version", () => refusal(503, "ServiceUnavailable", "no"));
    for (let n = 0; n < 4; n++) {
      await expect(careful.probe()).rejects.toMatchObject({ kind: "Unavailable" });
    }
    expect(hub.requests).toHaveLength(2);
    await careful.close();
  });
});

describe("reading", () => {
  beforeEach(async () => {
    await client.clusters.ensureControlPlane(order);
    await client.clusters.ensureNodePools(order);
  });

  it("one order: its objects and agents, without what has no news in it", async () => {
    const news = await client.clusters.read(order);
    expect(news.map(({ kind, object }) => `${kind} ${object.metadata.name}`)).toEqual([
      "HostedCluster abcdefghij",
      "NodePool abcdefghij-gpu",
      "NodePool abcdefghij-workers",
      "Agent agent-1",
      "Agent agent-2",
      "Agent agent-3",
    ]);
    expect(JSON.stringify(news)).not.toContain("managedFields");
    expect(news.every(({ deleted }) => !deleted)).toBe(true);
  });

  it("everything, page by page", async () => {
    for (let n = 0; n < 1100; n++) hub.createAgent(`many-${n}`);
    hub.requests.length = 0;
    const news = await client.readAll();
    expect(news.filter(({ kind }) => kind === "Agent")).toHaveLength(1104);
    expect(news.filter(({ kind }) => kind === "HostedCluster")).toHaveLength(1);
    expect(news.filter(({ kind }) => kind === "NodePool")).toHaveLength(2);
    const pages = hub.requests.filter(({ url }) => url.includes("/agents"));
    expect(pages).toHaveLength(3);
  });

  it("the kubeconfig and password: only once the HostedCluster names their secrets", async () => {
    const secret = (name: string, key: string, value: string) =>
      hub.cluster.create({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name, namespace },
        type: "Opaque",
        data: { [key]: Buffer.from(value).toString("base64") },
      });
    secret("abcdefghij-admin-kubeconfig", "kubeconfig", "the kubeconfig");
    secret("abcdefghij-kubeadmin-password", "password", "the password");
    expect(await client.credentials.readKubeconfig(order)).toBeUndefined();
    setStatus("HostedCluster", "abcdefghij", {
      kubeconfig: { name: "abcdefghij-admin-kubeconfig" },
      kubeadminPassword: { name: "abcdefghij-kubeadmin-password" },
    });
    expect(await client.credentials.readKubeconfig(order)).toBe("the kubeconfig");
    expect(await client.credentials.readPassword(order)).toBe("the password");
  });

  it("its version", async () => {
    expect(await client.probe()).toMatch(/^v\d/);
  });
});

describe("cluster operators", () => {
  const operator = (name: string, conditions: object[]) => ({
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterOperator",
    metadata: { name },
    spec: {},
    status: { conditions },
  });

  const announce = (kubeconfig: string) => {
    const data = { kubeconfig: Buffer.from(kubeconfig).toString("base64") };
    const metadata = { name: "admin-kubeconfig", namespace };
    hub.cluster.create({ apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data });
    setStatus("HostedCluster", "abcdefghij", { kubeconfig: { name: "admin-kubeconfig" } });
  };

  beforeEach(() => client.clusters.ensureControlPlane(order));

  it("are asked of the hosted cluster over TLS", async () => {
    const database = new DatabaseSync(":memory:");
    const hosted = new KubeCluster({ database, name: "h", kinds: hostedKinds, clock: systemClock });
    const store = (object: ReturnType<typeof operator>) => {
      hosted.create(object);
      const created = hosted.get("ClusterOperator", undefined, object.metadata.name);
      if (created) hosted.update({ ...created, status: object.status }, { subresource: "status" });
    };
    store(operator("dns", [{ type: "Available", status: "True" }]));
    store(operator("console", [{ type: "Available", status: "False", message: "no route" }]));
    store(operator("ingress", []));
    const authenticate = () => "admin";
    const hostedServer = await serveHub(kubernetesApi(hosted, { authenticate }));
    announce(hostedServer.kubeconfig);
    expect(await client.clusters.readOperators(order)).toMatchObject({
      total: 3,
      unavailable: ["console: no route", "ingress: has not reported"],
    });
    await hostedServer.close();
    await expect(client.clusters.readOperators(order)).rejects.toMatchObject({
      kind: "Unavailable",
      message: "the hosted cluster's API does not answer",
    });
    // The hub itself is well.
    expect(await client.probe()).toMatch(/^v/);
  });

  it("a kubeconfig that would run a command is refused", async () => {
    announce(
      JSON.stringify({
        contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
        clusters: [{ name: "a", cluster: { server: "https://a" } }],
        users: [{ name: "a", user: { exec: { command: "sh" } } }],
      }),
    );
    await expect(client.clusters.readOperators(order)).rejects.toMatchObject({ kind: "Rejected" });
  });
});

describe("removal", () => {
  beforeEach(async () => {
    await client.clusters.ensureControlPlane(order);
    await client.clusters.ensureNodePools(order);
  });

  it("takes the ManagedCluster first, then the HostedCluster, and may be repeated", async () => {
    hub.cluster.create({
      apiVersion: "cluster.open-cluster-management.io/v1",
      kind: "ManagedCluster",
      metadata: { name: "abcdefghij" },
      spec: {},
    });
    await client.clusters.removeHostedCluster(order);
    await client.clusters.removeHostedCluster(order);
    const deleted = hub.requests
      .filter(({ method }) => method === "DELETE")
      .map(({ url }) => new URL(url).pathname.split("/").at(-2));
    expect(deleted).toEqual([
      "managedclusters",
      "hostedclusters",
      "managedclusters",
      "hostedclusters",
    ]);
    expect(hub.cluster.get("HostedCluster", namespace, "abcdefghij")).toBeUndefined();
  });

  it("a hub that does not know ManagedClusters is fine", async () => {
    answer(
      "GET",
      "/apis/cluster.open-cluster-management.io/v1",
      () => new Response("404 page not found\n", { status: 404 }),
    );
    await client.clusters.removeHostedCluster(order);
    expect(hub.cluster.get("HostedCluster", namespace, "abcdefghij")).toBeUndefined();
  });

  it("the namespace waits for the HostedCluster", async () => {
    await expect(client.clusters.removeNamespace(order)).rejects.toMatchObject({
      kind: "Unavailable",
    });
    expect(hub.cluster.get("Secret", namespace, "pullsecret-cluster-abcdefghij")).toBeDefined();
    await client.clusters.removeHostedCluster(order);
    expect(hub.cluster.list("NodePool", { namespace })).not.toEqual([]);
    await client.clusters.removeNamespace(order);
    // No operator has seen this HostedCluster: its node pools stayed behind.
    expect(hub.cluster.list("NodePool", { namespace })).toEqual([]);
    await client.clusters.removeNamespace(order);
    await eventually(() => expect(hub.cluster.list("Secret", { namespace })).toEqual([]));
    const left = hub.cluster.get("Namespace", undefined, namespace);
    expect(left === undefined || left.metadata.deletionTimestamp !== undefined).toBe(true);
  });
});
