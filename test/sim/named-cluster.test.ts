import { once } from "node:events";
import { get } from "node:https";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import {
  ingressObjects,
  metalLbOperator,
  operatorObjects,
} from "../../core/ports/guest/kubernetes/objects.ts";
import { parseKubeconfig } from "../../core/ports/kubernetes/kubeconfig.ts";
import type { KubeInput } from "../../sim/kubernetes/cluster.ts";
import { type Agent, read } from "../../sim/operators/objects.ts";
import { addressPool, domain, NamedOrder, plan } from "../support/sim-site.ts";
import {
  advanceUntil,
  agents,
  condition,
  deleteAll,
  hostedCluster,
  isReady,
  pool,
  stateOf,
  type TestWorld,
  testWorld,
} from "../support/sim-world.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

let simulated: TestWorld;
let order: NamedOrder;

async function open(options: Parameters<typeof testWorld>[0] = {}): Promise<void> {
  simulated = await testWorld(options);
  order = new NamedOrder(simulated);
  await order.network();
  await order.attach();
}

beforeEach(() => open());

afterEach(async () => {
  await simulated.world.stop();
  simulated.database.close();
});

const hosted = () => hostedCluster(simulated.cluster, order.deployment);
const guest = () => simulated.hub.hosted.get(order.deployment.controlPlaneNamespace);
const nodes = () => guest()?.cluster.list("Node") ?? [];
const operator = (name: string) =>
  condition(guest()?.cluster.get("ClusterOperator", undefined, name), "Available").status;
const stages = () =>
  agents(simulated.cluster)
    .filter((agent) => stateOf(agent) === "installing-in-progress")
    .map((agent) => read<Agent>(agent).status?.progress?.currentStage);
const hasEndpoint = () => hosted()?.status?.controlPlaneEndpoint !== undefined;
const server = () => parseKubeconfig(guest()?.kubeconfig ?? "").server;
const ask = async () => (await simulated.world.fetch(`${server()}/healthz`)).status;

async function held(): Promise<void> {
  order.apply();
  await advanceUntil(simulated.clock, () => stages().includes("Configuring"));
  await simulated.clock.advance(minutes(30));
}

describe("nodes of a cluster that was ordered with a name", () => {
  it("do not join while it leads nowhere, and go on by themselves once it does", async () => {
    await held();
    expect(stages()).toEqual(["Configuring", "Configuring"]);
    expect(nodes()).toEqual([]);
    expect(condition(pool(simulated.cluster, order.deployment), "ReachedIgnitionEndpoint")).toEqual(
      expect.objectContaining({ status: "False", reason: "ignitionNotReached" }),
    );
    expect(condition(hosted(), "ExternalDNSReachable")).toMatchObject({
      status: "False",
      reason: "ExternalDNSHostNotReachable",
      message: expect.stringMatching(
        /^lookup api\.demo\.tenant-a\.example\.com on .* no such host$/,
      ),
    });
    expect(condition(hosted(), "Available").status).toBe("True");

    await order.names({ api: await order.floatingIp("api") });
    await advanceUntil(
      simulated.clock,
      () => isReady(simulated.cluster, order.deployment),
      minutes(10),
    );
    expect(condition(hosted(), "ExternalDNSReachable")).toMatchObject({
      status: "True",
      reason: "AsExpected",
      message: "All is well",
    });
    expect(condition(pool(simulated.cluster, order.deployment), "ReachedIgnitionEndpoint")).toEqual(
      expect.objectContaining({ status: "True" }),
    );
  });

  it("find it by the internal name, which clients outside are not given", async () => {
    await order.names({ apiInternal: plan.api });
    order.apply();
    await advanceUntil(simulated.clock, () => nodes().length === 2);
    await expect(ask()).rejects.toThrow("fetch failed");
  });

  it("do not join where the name leads to another address", async () => {
    await order.names({ api: plan.ingress, apiInternal: plan.ingress });
    await held();
    expect(nodes()).toEqual([]);
    // The name is known, which is all that the operator looks at.
    expect(condition(hosted(), "ExternalDNSReachable").status).toBe("True");
  });

  it("go on as before when the world is opened again from its database", async () => {
    await held();
    const { database } = simulated;
    const clock = new VirtualClock(simulated.clock.now());
    await simulated.world.stop();
    simulated = { ...(await testWorld({ database, clock })), clock };
    order = new NamedOrder(simulated, order.deployment);
    await clock.advance(minutes(10));
    expect(stages()).toEqual(["Configuring", "Configuring"]);
    await order.names({ api: await order.floatingIp("api") });
    await advanceUntil(clock, () => isReady(simulated.cluster, order.deployment), minutes(10));
  });
});

describe("its API server", () => {
  it("has the pool's address and the order's name, and answers only where that leads", async () => {
    order.apply();
    await advanceUntil(simulated.clock, hasEndpoint);
    expect(hosted()?.status?.controlPlaneEndpoint).toEqual({ host: `api.${domain}`, port: 6443 });
    const { controlPlaneNamespace } = order.deployment;
    expect(
      simulated.cluster.get("Service", controlPlaneNamespace, "kube-apiserver")?.status,
    ).toEqual({ loadBalancer: { ingress: [{ ip: plan.api, ipMode: "VIP" }] } });

    await expect(ask()).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
    const address = await order.floatingIp("api");
    await order.names({ api: address });
    await simulated.clock.advance(minutes(1));
    expect(await ask()).toBe(200);
    // The name is there still, and nothing is behind it.
    const { fabric } = simulated.world.site;
    const [floatingIp] = fabric.state.records.all("floatingip");
    fabric.run((state) => state.records.remove("floatingip", floatingIp?.id ?? ""));
    await expect(ask()).rejects.toThrow("fetch failed");
  });

  it("cuts clients on its socket off too", async () => {
    await simulated.world.stop();
    simulated.database.close();
    await open({ sockets: true });
    order.apply();
    await advanceUntil(simulated.clock, () => guest()?.kubeconfig !== undefined);
    const overTls = async () => {
      const request = get(`${server()}/healthz`, { rejectUnauthorized: false, agent: false });
      const [response] = await once(request, "response");
      response.resume();
      return response.statusCode;
    };
    await expect(overTls()).rejects.toMatchObject({ code: "ECONNRESET" });
    await order.names({ api: await order.floatingIp("api") });
    await simulated.clock.advance(minutes(1));
    expect(await overTls()).toBe(200);
  });
});

describe("the way into it", () => {
  async function withRouter(address: string): Promise<void> {
    await order.names({ api: await order.floatingIp("api") });
    order.apply();
    await advanceUntil(simulated.clock, () => isReady(simulated.cluster, order.deployment));
    const inside = guest()?.cluster;
    const objects = [...operatorObjects(metalLbOperator), ...ingressObjects({ address })];
    for (const object of objects) {
      inside?.apply(object as KubeInput, { fieldManager: "slipway", force: true });
    }
    await simulated.clock.advance(minutes(10));
  }

  it("has no console until the console's name leads to the router", async () => {
    await withRouter(plan.ingress);
    expect([operator("ingress"), operator("console")]).toEqual(["True", "False"]);
    const api = await order.floatingIp("api");
    await order.names({ api, ingress: api });
    await simulated.clock.advance(minutes(5));
    expect(operator("console")).toBe("False");
    await order.names({ api, ingress: await order.floatingIp("ingress") });
    await advanceUntil(simulated.clock, () => operator("console") === "True", minutes(2));
    await order.names({ api });
    await advanceUntil(simulated.clock, () => operator("console") === "False", minutes(2));
  });

  it("is no way in when its address is not on the network of the nodes", async () => {
    await withRouter("10.20.0.5");
    expect(operator("ingress")).toBe("False");
  });
});

describe("the pool of its API server's address", () => {
  const apiAddress = () =>
    simulated.cluster.get("Service", order.deployment.controlPlaneNamespace, "kube-apiserver")
      ?.status ?? {};
  const ofHub = /"ip":"10\.1\.240\./;

  it("is found also when it comes after the namespace", async () => {
    order.apply();
    const name = addressPool(order.deployment).metadata.name ?? "";
    simulated.cluster.delete("IPAddressPool", "metallb-system", name);
    simulated.cluster.delete("IPAddressPool", "metallb-system", "control-planes");
    await simulated.clock.advance(minutes(5));
    expect(JSON.stringify(apiAddress())).not.toContain("ip");
    simulated.cluster.create(addressPool(order.deployment));
    await simulated.clock.advance(minutes(1));
    expect(JSON.stringify(apiAddress())).toContain(plan.api);
  });

  it("serves no other namespace, and has nothing when its address is taken", async () => {
    const service = (namespace: string): KubeInput => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { namespace, name: "first" },
      spec: { type: "LoadBalancer", ports: [{ port: 443 }] },
    });
    order.apply();
    const { namespace, controlPlaneNamespace } = order.deployment;
    simulated.cluster.create(service(namespace));
    await advanceUntil(
      simulated.clock,
      () => simulated.cluster.get("Namespace", undefined, controlPlaneNamespace) !== undefined,
    );
    await simulated.clock.advance(minutes(1));
    simulated.cluster.create(service(controlPlaneNamespace));
    await simulated.clock.advance(minutes(1));
    expect(JSON.stringify(apiAddress())).toContain(plan.api);
    for (const other of [namespace, controlPlaneNamespace]) {
      const status = simulated.cluster.get("Service", other, "first")?.status;
      expect(JSON.stringify(status)).toMatch(ofHub);
    }
  });

  it("is refused with a member that is not known", () => {
    const known = addressPool(order.deployment);
    for (const spec of [
      { ...(known.spec as object), avoidBuggyIPs: true },
      { ...(known.spec as object), serviceAllocation: { namespaces: ["a"] } },
    ]) {
      expect(() => simulated.cluster.create({ ...known, spec })).toThrow(/unknown|unrecognized/i);
    }
  });
});

it("leaves nothing on the site when all is given back", async () => {
  await order.giveBack();
  const before = simulated.world.ledger();
  await order.network();
  await order.attach();
  await order.storage();
  await order.names({
    api: await order.floatingIp("api"),
    ingress: await order.floatingIp("ingress"),
  });
  order.apply();
  await advanceUntil(simulated.clock, () => isReady(simulated.cluster, order.deployment));
  const owner = { tenant: "tenant-a", kind: "cluster", id: order.deployment.id };
  const items = simulated.world.ledger();
  const kinds = items
    .filter(({ system, owner: found }) => !system.startsWith("hub:") && found?.id === owner.id)
    .map(({ kind }) => kind);
  expect([...new Set(kinds)].toSorted()).toEqual([
    "address",
    "ceph_user",
    "dns_record",
    "floating_ip",
    "host",
    "network",
    "port",
    "port_binding",
    "prefix",
    "rbd_namespace",
    "router",
    "router_address",
    "router_interface",
    "subnet",
    "vlan",
    "way_out",
  ]);
  simulated.cluster.delete(
    "IPAddressPool",
    "metallb-system",
    addressPool(order.deployment).metadata.name ?? "",
  );
  await deleteAll(simulated, order.deployment);
  await order.giveBack();
  await simulated.clock.advance(minutes(1));
  expect(simulated.world.ledger()).toEqual(before);
});
