import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Agent, request } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { minutes, systemClock } from "../../core/clock.ts";
import { openDatabase } from "../../sim/database.ts";
import type { KubeCluster } from "../../sim/kubernetes/cluster.ts";
import { openWorld } from "../../sim/world.ts";
import { deployment } from "../support/deployment.ts";
import { ownPorts } from "../support/own-ports.ts";
import { seeded } from "../support/random.ts";
import {
  advanceUntil,
  agents,
  applyAll,
  applyNodePools,
  bodyOf,
  condition,
  deleteAll,
  finishDeletion,
  hostedCluster,
  isReady,
  orderOf,
  reserveAgents,
  stateOf,
  testWorld,
} from "../support/sim-world.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-sim-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What a kubeconfig leads to. */
function access(kubeconfig = ""): { server: string; token: string } {
  const { clusters, users } = parse(kubeconfig);
  return { server: clusters[0].cluster.server, token: users[0].user.token };
}

function authority(kubeconfig = ""): string {
  const data = parse(kubeconfig).clusters[0].cluster["certificate-authority-data"];
  return Buffer.from(data, "base64").toString();
}

const uids = (cluster: KubeCluster) =>
  ["HostedCluster", "NodePool", "Machine", "AgentMachine", "Agent", "Secret"].flatMap((kind) =>
    cluster.list(kind).map(({ metadata }) => `${kind} ${metadata.name} ${metadata.uid}`),
  );

describe("the seeded world", () => {
  it("has 2 hubs in 2 regions with 24 free, discovered hosts of 2 types on 4 switches", async () => {
    const { world, cluster } = await testWorld();
    expect(new Set(world.hubs().map(({ region }) => region)).size).toBe(2);
    expect(world.hosts()).toHaveLength(24);
    expect(new Set(world.hosts().map(({ host_type }) => host_type)).size).toBe(2);
    const nics = world.hosts().flatMap((host) => host.nics);
    expect(new Set(nics.map((nic) => nic.switch)).size).toBe(4);
    expect(new Set(nics.map(({ mac }) => mac)).size).toBe(48);
    expect(new Set(nics.map((nic) => `${nic.switch} ${nic.port}`)).size).toBe(48);
    expect(agents(cluster).map(stateOf)).toEqual(Array(12).fill("known-unbound"));
    const [host] = world.hosts();
    const agent = agents(cluster).find(({ metadata }) => metadata.name === host?.id);
    expect(agent?.status?.inventory?.interfaces.map(({ macAddress }) => macAddress)).toEqual(
      host?.nics.map(({ mac }) => mac),
    );
    expect(agent?.metadata.labels).toMatchObject({
      "agent-install.openshift.io/clusterdeployment-namespace": "",
    });
  });

  it("has nothing to do while nobody orders anything", async () => {
    const { clock, cluster } = await testWorld();
    await clock.advance(minutes(1));
    const { revision } = cluster.store;
    expect(clock.pending).toBe(0);
    await clock.advance(minutes(60));
    expect(cluster.store.revision).toBe(revision);
  });

  it("goes quiet again when an order is ready", async () => {
    const { clock, cluster } = await testWorld();
    const order = orderOf(cluster);
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    await clock.advance(minutes(1));
    expect(clock.pending).toBe(0);
  });

  it("does the same at the same times for the same seed", async () => {
    const trace = async () => {
      const { clock, cluster } = await testWorld();
      const lines: string[] = [];
      cluster.watch("*", ({ type, object: { kind, metadata } }) => {
        lines.push(`${clock.now()} ${type} ${kind} ${metadata.name} ${metadata.resourceVersion}`);
      });
      const order = orderOf(cluster);
      applyAll(cluster, order);
      await advanceUntil(clock, () => isReady(cluster, order));
      return lines;
    };
    const first = await trace();
    expect(first.length).toBeGreaterThan(50);
    expect(await trace()).toEqual(first);
  });
});

describe("a new host", () => {
  const machine = {
    name: "extra-1",
    hub: "hub-b",
    host_type: "fc430",
    bmc: { address: "redfish-virtualmedia://192.168.9.9/redfish/v1/Systems/1" },
    nics: [{ name: "eno1", mac: "52:54:00:ff:00:01", switch: "leaf-b1", port: "Ethernet1/40" }],
  };

  it("is discovered after it has booted, also when the world is reopened meanwhile", async () => {
    const database = openDatabase(join(folder, "world.sqlite"));
    const before = await testWorld({ database });
    const { id } = before.world.addHost(machine);
    await before.clock.advance(minutes(1));
    await before.world.stop();
    database.close();

    const reopened = openDatabase(join(folder, "world.sqlite"));
    const clock = new VirtualClock(before.clock.now());
    const world = openWorld({ database: reopened, clock });
    await world.start();
    const agent = () => world.hub("hub-b").cluster.get("Agent", "hardware-inventory", id);
    expect(agent()).toBeUndefined();
    await advanceUntil(clock, () => agent() !== undefined, minutes(3));
    expect(condition(agent(), "Validated").status).toBe("Unknown");
    await advanceUntil(clock, () => condition(agent(), "Validated").status === "True", minutes(2));
    await world.stop();
    reopened.close();
  });

  it("is refused when its hub, name or MAC address is wrong", async () => {
    const { world } = await testWorld();
    world.addHost(machine);
    expect(() => world.addHost({ ...machine, name: "other", hub: "no" })).toThrow(
      "hub no not found",
    );
    expect(() => world.addHost(machine)).toThrow("host extra-1 already exists");
    expect(() => world.addHost({ ...machine, name: "other" })).toThrow("52:54:00:ff:00:01");
  });
});

describe("a world that is killed and opened again", () => {
  it.each([
    ["while the control plane starts", 2],
    ["while agents install", 9],
    ["while operators start", 17],
  ])("goes on with the same uids, ports and tokens: %s", async (_, after) => {
    const path = join(folder, "world.sqlite");
    const first = await testWorld({ database: openDatabase(path) });
    const order = orderOf(first.cluster);
    applyAll(first.cluster, order);
    await first.clock.advance(minutes(after));
    const kubeconfig = first.hub.kubeconfig;
    const guest = first.hub.hosted.get(order.controlPlaneNamespace)?.kubeconfig;
    const then = uids(first.cluster);
    const { revision } = first.cluster.store;
    // Nothing is stopped or closed: this is what a killed process leaves behind.

    const clock = new VirtualClock(first.clock.now());
    const second = await testWorld({ database: openDatabase(path), clock, random: seeded(2) });
    expect(uids(second.cluster)).toEqual(then);
    expect(second.cluster.store.revision).toBe(revision);
    expect(second.hub.kubeconfig).toBe(kubeconfig);
    const world = { ...second, clock };
    await advanceUntil(clock, () => isReady(second.cluster, order), minutes(22 - after));
    if (guest) {
      expect(second.hub.hosted.get(order.controlPlaneNamespace)?.kubeconfig).toBe(guest);
    }
    await deleteAll(world, order);
  });

  it("goes on from between any two of its writes, to the end of the order", async () => {
    const database = openDatabase(join(folder, "world.sqlite"));
    const { cluster, clock, world } = await testWorld({ database });
    const empty = world.ledger();
    const order = orderOf(cluster);
    const copies: { path: string; at: number; isDeleting: boolean }[] = [];
    let writes = 0;
    cluster.watch("*", () => {
      writes += 1;
      if (writes % 3 !== 0) return;
      const path = join(folder, `copy-${writes}.sqlite`);
      database.exec(`VACUUM INTO '${path}'`);
      const isDeleting = hostedCluster(cluster, order)?.metadata.deletionTimestamp !== undefined;
      if (hostedCluster(cluster, order)) copies.push({ path, at: clock.now(), isDeleting });
    });
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    await deleteAll({ cluster, clock }, order);
    expect(copies.length).toBeGreaterThan(40);

    for (const [index, { path, at, isDeleting }] of copies.entries()) {
      const copy = openDatabase(path);
      const later = new VirtualClock(at);
      const again = await testWorld({ database: copy, clock: later, random: seeded(10 + index) });
      if (!isDeleting) {
        applyAll(again.cluster, order);
        await advanceUntil(later, () => isReady(again.cluster, order));
        again.cluster.delete("HostedCluster", order.namespace, order.hostedCluster);
      }
      await finishDeletion(again.cluster, later, order);
      expect(again.world.ledger(), path).toEqual(empty);
      await again.world.stop();
      copy.close();
    }
  }, 240_000);
});

describe("the API servers", () => {
  it("answer in process, by the URLs of their kubeconfigs, to their own tokens only", async () => {
    const { world, clock, hub, cluster } = await testWorld();
    const order = orderOf(cluster);
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    const { server, token } = access(hub.kubeconfig);
    const headers = { authorization: `Bearer ${token}` };
    const path = `/api/v1/namespaces/${order.namespace}/secrets/abcdefghij-admin-kubeconfig`;
    const secret = await bodyOf<{ data: { kubeconfig: string } }>(
      world.fetch(server + path, { headers }),
    );
    const guest = access(Buffer.from(secret.data.kubeconfig, "base64").toString());
    const operators = `${guest.server}/apis/config.openshift.io/v1/clusteroperators`;
    const asked = await world.fetch(operators, {
      headers: { authorization: `Bearer ${guest.token}` },
    });
    const { items } = await bodyOf<{ items: unknown[] }>(asked);
    expect(items.length).toBeGreaterThan(15);
    expect((await world.fetch(operators, { headers })).status).toBe(401);

    await deleteAll({ cluster, clock }, order);
    await expect(world.fetch(operators, { headers })).rejects.toThrow("fetch failed");
  });

  it("work with kubectl over TLS, on the same port after a restart", async ({ skip }) => {
    const run = promisify(execFile);
    if (
      await run("kubectl", ["version", "--client"]).then(
        () => false,
        () => true,
      )
    )
      skip();
    const path = join(folder, "world.sqlite");
    let database = openDatabase(path);
    const clock = new VirtualClock();
    const options = { sockets: true, firstPort: await ownPorts(), wall: systemClock, clock };
    let test = { ...(await testWorld({ database, ...options })), clock };
    const { cluster } = test;
    const order = orderOf(cluster, 1);
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    const { kubeconfig = "" } = test.hub.hosted.get(order.controlPlaneNamespace) ?? {};
    const guestFile = join(folder, "guest");
    const hubFile = join(folder, "hub");
    await writeFile(guestFile, kubeconfig);
    await writeFile(hubFile, test.hub.adminKubeconfig ?? "");
    const kubectl = async (file: string, ...args: string[]) =>
      (await run("kubectl", ["--kubeconfig", file, "--cache-dir", folder, ...args])).stdout;
    expect(await kubectl(guestFile, "get", "nodes")).toMatch(/-a-\d\d +Ready +worker /);
    expect(await kubectl(hubFile, "get", "hc", "-A")).toMatch(/abcdefghij .*Completed/);

    await test.world.stop();
    database.close();
    database = openDatabase(path);
    test = { ...(await testWorld({ database, ...options })), clock };
    expect(await kubectl(guestFile, "get", "co", "ingress")).toContain("ingress");
    expect(await kubectl(hubFile, "get", "agents", "-A")).toContain("added-to-existing-cluster");
    await test.world.stop();
    database.close();
  });
});

describe("faults over sockets", () => {
  it.each([
    ["crash_before", false],
    ["crash_after", true],
  ] as const)("%s cuts the connection", async (fault, isMade) => {
    const { world, hub, cluster } = await testWorld({ sockets: true, wall: systemClock });
    const { server, token } = access(hub.kubeconfig);
    const dispatcher = new Agent({ connect: { ca: authority(hub.kubeconfig) } });
    const create = (name: string) =>
      request(`${server}/api/v1/namespaces`, {
        method: "POST",
        dispatcher,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
      });
    world.faults.add({ target: "hub:hub-a", operation: "POST /api/", fault });
    await expect(create("first")).rejects.toThrow("other side closed");
    expect(cluster.get("Namespace", undefined, "first") !== undefined).toBe(isMade);
    expect((await create("second")).statusCode).toBe(201);
    await dispatcher.close();
    await world.stop();
  });
});

describe("several orders at once", () => {
  it("share the hub without taking each other's agents or addresses", async () => {
    const { clock, cluster } = await testWorld();
    const first = orderOf(cluster);
    reserveAgents(cluster, first);
    const second = deployment({
      nodeSets: orderOf(cluster).nodeSets,
      id: `${first.id.slice(0, -1)}2`,
      name: "zyxwvutsrq",
    });
    applyAll(cluster, first);
    applyAll(cluster, second);
    applyNodePools(cluster, second);
    await advanceUntil(clock, () => isReady(cluster, first) && isReady(cluster, second));
    const hosts = [first, second].map(
      (order) => hostedCluster(cluster, order)?.status?.controlPlaneEndpoint?.host,
    );
    expect(new Set(hosts).size).toBe(2);
    for (const order of [first, second]) {
      const bound = agents(cluster).filter(
        ({ spec }) => spec.clusterDeploymentName?.name === order.hostedCluster,
      );
      expect(bound.map(({ metadata }) => metadata.name).toSorted()).toEqual(
        order.nodeSets[0]?.agents.toSorted(),
      );
    }
  });
});
