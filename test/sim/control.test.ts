import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { seconds } from "../../core/clock.ts";
import { controlApi } from "../../sim/control.ts";
import type { Disconnected } from "../../sim/faulty.ts";
import type { LedgerItem } from "../../sim/ledger.ts";
import { newServer } from "../support/servers.ts";
import {
  advanceUntil,
  applyAll,
  bodyOf,
  deleteAll,
  isReady,
  orderOf,
  type TestWorld,
  testWorld,
} from "../support/sim-world.ts";

interface Refusal {
  code: string;
  errors: { field: string; message: string }[];
}

let test: TestWorld;
let control: (method: string, path: string, body?: unknown) => Promise<Response>;

beforeEach(async () => {
  test = await testWorld();
  const api = controlApi(test.world);
  control = (method, path, body) =>
    api(
      new Request(`http://sim${path}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
});

/** A request to a hub, as Slipway. */
function askHub(id: string, method: string, path: string, init: RequestInit = {}) {
  const { clusters, users } = parse(test.world.hub(id).kubeconfig ?? "");
  const headers = { authorization: `Bearer ${users[0].user.token}` };
  return test.world.fetch(clusters[0].cluster.server + path, { method, headers, ...init });
}

const agentsPath = "/apis/agent-install.openshift.io/v1beta1/namespaces/hardware-inventory/agents";

describe("a restart of a hub's API server", () => {
  const statuses = async (...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await askHub("hub-a", "GET", path)).status));

  it("begins the moments in which it does not serve everybody everything", async () => {
    await test.world.stop();
    test = await testWorld({ startUp: seconds(3) });
    await test.clock.advance(seconds(3));
    const ask = () => statuses("/api/v1/namespaces", "/api/v1/namespaces/default", agentsPath);
    expect(await ask()).toEqual([200, 200, 200]);
    test.hub.restart();
    expect(await ask()).toEqual([403, 403, 403]);
    await test.clock.advance(seconds(1));
    expect(await ask()).toEqual([200, 200, 503]);
    await test.clock.advance(seconds(1));
    expect(await ask()).toEqual([429, 200, 429]);
    await test.clock.advance(seconds(1));
    expect(await ask()).toEqual([200, 200, 200]);
  });

  it("ends watches", async () => {
    const watch = await askHub("hub-a", "GET", `${agentsPath}?watch=true&resourceVersion=0`);
    const text = watch.text();
    expect((await control("POST", "/hubs/hub-a/restart")).status).toBe(200);
    expect(await text).toContain('"type":"ADDED"');
  });

  it("of a hub that is not there is 404", async () => {
    expect((await control("POST", "/hubs/nowhere/restart")).status).toBe(404);
  });
});

describe("the ledger", () => {
  const ledger = async () =>
    (await bodyOf<{ items: LedgerItem[] }>(control("GET", "/ledger"))).items;

  it("names the owner of every host and object of an order, the operators' own too", async () => {
    const { cluster, clock } = test;
    const order = orderOf(cluster);
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    const items = await ledger();
    const owner = { tenant: "tenant-a", kind: "cluster", id: order.id };
    const owned = items.filter((item) => item.owner?.id === order.id);
    for (const item of owned) expect(item.owner).toEqual(owner);
    expect(
      owned
        .filter(({ kind }) => kind === "host")
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(order.nodeSets[0]?.agents.toSorted());
    const kinds = Map.groupBy(owned, ({ kind }) => kind);
    const counts = Object.fromEntries(Array.from(kinds, ([kind, all]) => [kind, all.length]));
    expect(counts).toEqual({
      host: 2,
      Agent: 2,
      Namespace: 2,
      ServiceAccount: 1,
      RoleBinding: 2,
      Secret: 4,
      HostedCluster: 1,
      NodePool: 1,
      HostedControlPlane: 1,
      Service: 1,
      Machine: 2,
      AgentMachine: 2,
      api_server: 1,
    });
    expect(items.filter(({ kind, owner }) => kind === "host" && owner === null)).toHaveLength(22);
  });

  it("has ids that are unique within a system and kind", async () => {
    const ids = (await ledger()).map(({ system, kind, id }) => `${system} ${kind} ${id}`);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("knows the tenant of agents that are labelled still when the rest is gone", async () => {
    const { cluster, clock } = test;
    const order = orderOf(cluster);
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    cluster.delete("HostedCluster", order.namespace, order.hostedCluster);
    await advanceUntil(clock, () => cluster.list("HostedCluster").length === 0);
    cluster.delete("Namespace", undefined, order.namespace);
    await advanceUntil(clock, () => !cluster.get("Namespace", undefined, order.namespace));
    const owners = (await ledger()).filter(({ owner }) => owner !== null);
    expect(owners.map(({ kind }) => kind).toSorted()).toEqual(["Agent", "Agent", "host", "host"]);
    expect(owners.every(({ owner }) => owner?.tenant === "tenant-a")).toBe(true);
  });

  it("is as it was before when an order is gone", async () => {
    const { cluster, clock } = test;
    const before = await ledger();
    const order = orderOf(cluster);
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    await deleteAll(test, order);
    expect(await ledger()).toEqual(before);
  });
});

describe("packets", () => {
  const packet = (query: Record<string, string>) =>
    control("GET", `/packets?${new URLSearchParams(query)}`);

  it("say where they stop on the fabric, and where they arrive", async () => {
    const nic = test.world.hosts()[0]?.nics[0]?.mac ?? "";
    const asked = { from: nic, to: "198.51.100.7", protocol: "tcp", port: "443" };
    expect(await (await packet(asked)).json()).toEqual(
      test.world.site.fabric.reaches({ nic }, { address: "198.51.100.7" }, "tcp", 443),
    );
    expect(await (await packet(asked)).json()).toMatchObject({ arrives: false, stopped: "sender" });
  });

  it("are refused where they name no NIC and no address, and no port", async () => {
    const refused = await packet({ from: "here", to: "::1", protocol: "tcp", port: "70000" });
    expect(refused.status).toBe(400);
    const { errors } = await bodyOf<Refusal>(Promise.resolve(refused));
    expect(errors.map(({ field }) => field)).toEqual(["from", "port"]);
  });
});

describe("faults", () => {
  it("refuse a request once, with a Status of the asked code, and then no more", async () => {
    await control("POST", "/faults", { target: "hub", operation: "GET /apis/", fault: "error" });
    expect((await askHub("hub-a", "GET", "/api/v1/namespaces")).status).toBe(200);
    const refused = await askHub("hub-a", "GET", agentsPath);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ kind: "Status", code: 422, reason: "Invalid" });
    expect((await askHub("hub-a", "GET", agentsPath)).status).toBe(200);
  });

  it("hit only the hub they name, as often as they say", async () => {
    const fault = { target: "hub:hub-b", fault: "error", status: 503, count: 2 };
    await control("POST", "/faults", fault);
    const status = async (id: string) => (await askHub(id, "GET", agentsPath)).status;
    expect(await status("hub-a")).toBe(200);
    expect([await status("hub-b"), await status("hub-b"), await status("hub-b")]).toEqual([
      503, 503, 200,
    ]);
    const { items } = await bodyOf<{ items: unknown }>(control("GET", "/faults"));
    expect(items).toEqual([{ id: 1, ...fault, taken: 2 }]);
  });

  it("last for good with a count of 0, until they are cleared", async () => {
    await control("POST", "/faults", { target: "hub", fault: "conflict", count: 0 });
    for (let i = 0; i < 5; i++) expect((await askHub("hub-a", "GET", agentsPath)).status).toBe(409);
    expect((await control("DELETE", "/faults")).status).toBe(200);
    expect((await askHub("hub-a", "GET", agentsPath)).status).toBe(200);
  });

  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "made" } };
  const create = (signal?: AbortSignal) =>
    askHub("hub-a", "POST", "/api/v1/namespaces", {
      body: JSON.stringify(namespace),
      ...(signal && { signal }),
    });
  const made = () => test.cluster.get("Namespace", undefined, "made");

  it("cut the connection before the effect", async () => {
    await control("POST", "/faults", { target: "hub", operation: "POST /", fault: "crash_before" });
    const failure: Disconnected = await create().catch((error) => error);
    expect(failure).toMatchObject({ message: "fetch failed", cause: { code: "ECONNRESET" } });
    expect(made()).toBeUndefined();
  });

  it("cut the connection after the effect", async () => {
    await control("POST", "/faults", { target: "hub", operation: "POST /", fault: "crash_after" });
    await expect(create()).rejects.toThrow("fetch failed");
    expect(made()).toBeDefined();
  });

  it("leave a request without an answer until the client gives up", async () => {
    await control("POST", "/faults", { target: "hub", operation: "POST /", fault: "timeout" });
    const aborter = new AbortController();
    const asked = create(aborter.signal);
    const given = expect(asked).rejects.toThrow("enough");
    await test.clock.advance(seconds(60));
    aborter.abort(new Error("enough"));
    await given;
    expect(made()).toBeUndefined();
  });

  it("end a request without an answer when the client never gives up", async () => {
    await control("POST", "/faults", { target: "hub", fault: "timeout" });
    await expect(test.clock.until(create())).rejects.toThrow("fetch failed");
  });

  it("are slow for 5 simulated seconds", async () => {
    await control("POST", "/faults", { target: "hub", fault: "slow" });
    const began = test.clock.now();
    expect((await test.clock.until(create())).status).toBe(201);
    expect(test.clock.now() - began).toBe(seconds(5));
  });

  it("of a worker are for whoever runs its steps", async () => {
    await control("POST", "/faults", {
      target: "worker",
      operation: "JoinNodes",
      fault: "crash_after",
    });
    expect(test.world.faults.take("worker", "JoinNodesTwice")).toBeUndefined();
    expect(test.world.faults.take("worker", "JoinNodes")).toMatchObject({ fault: "crash_after" });
    expect(test.world.faults.take("worker", "JoinNodes")).toBeUndefined();
    expect((await askHub("hub-a", "GET", agentsPath)).status).toBe(200);
  });

  it.each([
    [{ target: "moon", fault: "error" }, "target"],
    [{ target: "hub", fault: "explode" }, "fault"],
    [{ target: "hub", fault: "error", status: 200 }, "status"],
    [{ target: "hub", fault: "error", count: -1 }, "count"],
    [{ target: "hub", fault: "error", operation: "apis" }, "operation"],
    [{ target: "hub", fault: "slow", operation: "install" }, "operation"],
    [{ target: "hub", fault: "error", often: 1 }, ""],
  ])("are refused when they make no sense: %j", async (body, field) => {
    const refused = await control("POST", "/faults", body);
    expect(refused.status).toBe(400);
    const { code, errors } = await bodyOf<Refusal>(refused);
    expect(code).toBe("Invalid");
    expect(errors[0]?.field).toBe(field);
  });

  it("can be those of a DPU, by its name", async () => {
    const { server, ...host } = newServer("server-1", 1);
    const dpu = {
      ...{ name: "server-1-dpu-0", serial: "MT-1", ports: [] },
      bmc: { address: "redfish://192.168.201.1/redfish/v1/Systems/Bluefield" },
    };
    test.world.addHost({ ...host, ...(server && { server }), dpus: [dpu] });
    const silent = { operation: "agent", fault: "hold" };
    const asked = async (name: string) =>
      (await control("POST", "/faults", { target: `bmc:${name}`, ...silent })).status;
    expect(await asked(dpu.name)).toBe(201);
    expect(await asked("server-1-dpu-7")).toBe(404);
  });

  it("are refused for a hub that is not there, and for what is not JSON", async () => {
    const unknown = await control("POST", "/faults", { target: "hub:none", fault: "error" });
    expect(unknown.status).toBe(404);
    const api = controlApi(test.world);
    const garbled = await api(new Request("http://sim/faults", { method: "POST", body: "{" }));
    expect(garbled.status).toBe(400);
    expect((await control("GET", "/nothing")).status).toBe(404);
  });
});

describe("more of the world", () => {
  it("adds a hub that answers with what is needed to register it", async () => {
    const added = await control("POST", "/hubs", { id: "hub-c", region: "eu-north" });
    expect(added.status).toBe(201);
    const { id, kubeconfig } = await bodyOf<{ id: string; kubeconfig: string }>(added);
    expect(id).toBe("hub-c");
    expect(parse(kubeconfig).clusters[0].cluster).toHaveProperty("certificate-authority-data");
    expect((await askHub("hub-c", "GET", agentsPath)).status).toBe(200);
    expect((await control("POST", "/hubs", { id: "hub-c", region: "eu-north" })).status).toBe(409);
    expect((await control("POST", "/hubs", { id: "Hub C", region: "" })).status).toBe(400);
  });

  it("adds a host that is there at once when it was discovered before", async () => {
    const host = {
      name: "spare-1",
      hub: "hub-a",
      host_type: "h100",
      bmc: { address: "redfish-virtualmedia://192.168.1.99/redfish/v1/Systems/1" },
      nics: [{ name: "eno1", mac: "52:54:00:aa:aa:aa", switch: "leaf-a1", port: "Ethernet1/47" }],
      discovered: true,
    };
    const added = await control("POST", "/hosts", host);
    expect(added.status).toBe(201);
    const { id } = await bodyOf<{ id: string }>(added);
    expect(test.cluster.get("Agent", "hardware-inventory", id)?.status).toMatchObject({
      debugInfo: { state: "known-unbound" },
    });
    expect((await control("POST", "/hosts", host)).status).toBe(409);
    expect((await control("POST", "/hosts", { ...host, name: "x", hub: "none" })).status).toBe(404);
    const wrong = await control("POST", "/hosts", { ...host, bmc: { address: "no" }, nics: [] });
    const { errors } = await bodyOf<Refusal>(wrong);
    expect(errors.map(({ field }) => field)).toEqual(["bmc.address", "nics"]);
  });
});
