import { beforeEach, describe, expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { controlPlaneObjects } from "../../core/ports/hub/clusters/hypershift/objects.ts";
import type { Order } from "../support/deployment.ts";
import {
  advanceUntil,
  agents,
  applyAll,
  applyControlPlane,
  applyNodePools,
  condition,
  deleteAll,
  hostedCluster,
  isReady,
  orderOf,
  pool,
  release,
  reserveAgents,
  stateOf,
  type TestWorld,
  testWorld,
} from "../support/sim-world.ts";

let test: TestWorld;
let order: Order;

beforeEach(async () => {
  test = await testWorld();
  order = orderOf(test.cluster);
});

const reserved = () =>
  agents(test.cluster).filter(({ metadata }) => order.nodeSets[0]?.agents.includes(metadata.name));

describe("a cluster order on the simulated hub", () => {
  it("is ready after about 20 minutes, with nodes, operators and credentials", async () => {
    const { cluster, clock, hub } = test;
    const began = clock.now();
    applyAll(cluster, order);
    await advanceUntil(
      clock,
      () => condition(hostedCluster(cluster, order), "Available").status === "True",
    );
    expect(clock.now() - began).toBeGreaterThan(minutes(5));
    expect(clock.now() - began).toBeLessThan(minutes(7));
    await advanceUntil(clock, () => isReady(cluster, order));
    expect(clock.now() - began).toBeGreaterThan(minutes(17));
    expect(clock.now() - began).toBeLessThan(minutes(22));

    const hosted = hostedCluster(cluster, order);
    expect(hosted?.status).toMatchObject({
      controlPlaneEndpoint: { host: "10.1.240.1", port: 6443 },
      kubeconfig: { name: "abcdefghij-admin-kubeconfig" },
      kubeadminPassword: { name: "abcdefghij-kubeadmin-password" },
      version: { history: [{ state: "Completed", version: "4.17.9" }] },
      controlPlaneVersion: { history: [{ state: "Completed" }] },
    });
    expect(condition(hosted, "Degraded").status).toBe("False");
    expect(condition(hosted, "ClusterVersionSucceeding").status).toBe("True");
    expect(condition(hosted, "Progressing").status).toBe("False");
    expect(hosted?.metadata.annotations).toHaveProperty(
      ["hypershift.openshift.io/HasBeenAvailable"],
      "true",
    );
    expect(pool(cluster, order).status).toMatchObject({ replicas: 2, version: "4.17.9" });
    expect(reserved().map(stateOf)).toEqual([
      "added-to-existing-cluster",
      "added-to-existing-cluster",
    ]);
    const guest = hub.hosted.get(order.controlPlaneNamespace)?.cluster;
    expect(guest?.list("Node").map((node) => condition(node, "Ready").status)).toEqual([
      "True",
      "True",
    ]);
    const unavailable = guest
      ?.list("ClusterOperator")
      .filter((operator) => condition(operator, "Available").status !== "True");
    expect(unavailable?.map(({ metadata }) => metadata.name)).toEqual(["console", "ingress"]);
  });

  it("is degraded for a while during installation, and not after", async () => {
    const { cluster, clock } = test;
    applyAll(cluster, order);
    const degraded = () => condition(hostedCluster(cluster, order), "Degraded");
    await advanceUntil(clock, () => degraded().status === "True");
    expect(degraded().reason).toBe("UnavailableReplicas");
    await advanceUntil(clock, () => isReady(cluster, order));
    expect(degraded().status).toBe("False");
  });

  it("takes each agent through assisted-service's states", async () => {
    const { cluster, clock } = test;
    const name = order.nodeSets[0]?.agents[0];
    const states: unknown[] = [];
    cluster.watch("Agent", ({ object }) => {
      if (object.metadata.name !== name) return;
      const { state } = (object.status as { debugInfo: { state: string } }).debugInfo;
      if (states.at(-1) !== state) states.push(state);
    });
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    await deleteAll(test, order);
    expect(states).toEqual([
      "known-unbound",
      "binding",
      "discovering",
      "insufficient",
      "known",
      "installing",
      "installing-in-progress",
      "added-to-existing-cluster",
      "unbinding",
      "reclaiming",
      "reclaiming-rebooting",
      "discovering-unbound",
      "known-unbound",
    ]);
  });

  it("waits for its pull secret and goes on once that is there", async () => {
    const { cluster, clock } = test;
    applyControlPlane(cluster, order, "pullsecret");
    await clock.advance(minutes(10));
    const hosted = () => hostedCluster(cluster, order);
    expect(condition(hosted(), "ValidReleaseImage")).toMatchObject({
      status: "False",
      reason: "SecretNotFound",
    });
    expect(cluster.get("Namespace", undefined, order.controlPlaneNamespace)).toBeUndefined();
    applyControlPlane(cluster, order);
    await advanceUntil(clock, () => condition(hosted(), "Available").status === "True");
    expect(condition(hosted(), "ValidReleaseImage").status).toBe("True");
  });

  it.each([
    ["quay.io/openshift-release-dev/ocp-release:no-such-tag", /manifest unknown/],
    ["quay.io/openshift-release-dev/ocp-release:4.9.0-multi", /not supported/],
    ["quay.io/openshift-release-dev/ocp-release:4.99.0-multi", /latest version supported/],
  ])("refuses the release image %s", async (releaseImage, message) => {
    const { cluster, clock } = test;
    applyAll(cluster, { ...order, releaseImage });
    await clock.advance(minutes(10));
    const hosted = hostedCluster(cluster, order);
    expect(condition(hosted, "ValidReleaseImage")).toMatchObject({
      status: "False",
      reason: "InvalidImage",
      message: expect.stringMatching(message),
    });
    expect(condition(hosted, "Available").status).toBe("False");
    expect(condition(pool(cluster, order), "ValidReleaseImage").status).toBe("False");
  });

  it("refuses an agent namespace that is not there", async () => {
    const { cluster, clock } = test;
    cluster.delete("Namespace", undefined, "hardware-inventory");
    // The Role beside the agents cannot be made either.
    applyControlPlane(cluster, order, "capi-provider-role");
    await clock.advance(minutes(1));
    expect(condition(hostedCluster(cluster, order), "ValidConfiguration")).toMatchObject({
      status: "False",
      message: expect.stringContaining("failed to get agent namespace"),
    });
  });

  it("stays without an address while no pool has a free one", async () => {
    const { cluster, clock } = test;
    cluster.delete("IPAddressPool", "metallb-system", "control-planes");
    applyAll(cluster, order);
    await clock.advance(minutes(10));
    const hosted = () => hostedCluster(cluster, order);
    expect(condition(hosted(), "InfrastructureReady").reason).toBe("WaitingOnInfrastructureReady");
    cluster.create({
      apiVersion: "metallb.io/v1beta1",
      kind: "IPAddressPool",
      metadata: { namespace: "metallb-system", name: "pinned" },
      spec: {
        addresses: ["10.9.9.9/32"],
        autoAssign: true,
        serviceAllocation: {
          priority: 10,
          namespaceSelectors: [
            { matchLabels: { "kubernetes.io/metadata.name": order.controlPlaneNamespace } },
          ],
        },
      },
    });
    await advanceUntil(clock, () => condition(hosted(), "InfrastructureReady").status === "True");
    await advanceUntil(clock, () => hosted()?.status?.controlPlaneEndpoint !== undefined);
    expect(hosted()?.status?.controlPlaneEndpoint?.host).toBe("10.9.9.9");
  });

  it("says NoSuitableAgents until agents are labelled, and takes none that is not approved", async () => {
    const { cluster, clock } = test;
    applyControlPlane(cluster, order);
    applyNodePools(cluster, order);
    const machines = () => condition(pool(cluster, order), "AllMachinesReady");
    await advanceUntil(clock, () => machines().message?.includes("NoSuitableAgents") ?? false);
    reserveAgents(cluster, order, false);
    await clock.advance(minutes(5));
    expect(machines().message).toMatch(/^Machine abcdefghij-workers-\w+: NoSuitableAgents/);
    expect(reserved().map(stateOf)).toEqual(["known-unbound", "known-unbound"]);
    reserveAgents(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
  });

  it("waits for the ignition endpoint before it makes machines", async () => {
    const { cluster, clock } = test;
    applyAll(cluster, order);
    await clock.advance(minutes(3));
    expect(condition(pool(cluster, order), "IgnitionEndpointAvailable")).toMatchObject({
      status: "False",
      message: "Ignition endpoint not available, waiting",
    });
    expect(cluster.list("Machine")).toEqual([]);
  });

  it("scales up with agents that are labelled, and down by giving an agent back", async () => {
    const { cluster, clock } = test;
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    const three = orderOf(cluster, 1).nodeSets[0]?.agents ?? [];
    const grown = resized(order, 3, three);
    reserveAgents(cluster, grown);
    applyNodePools(cluster, grown);
    await advanceUntil(clock, () => pool(cluster, grown).status?.replicas === 3);

    applyNodePools(cluster, resized(order, 1));
    await advanceUntil(clock, () => cluster.list("Machine").length === 1);
    await advanceUntil(
      clock,
      () => agents(cluster).filter((a) => stateOf(a) !== "known-unbound").length === 1,
    );
    expect(pool(cluster, order).status?.replicas).toBe(1);
    const guest = test.hub.hosted.get(order.controlPlaneNamespace)?.cluster;
    expect(guest?.list("Node")).toHaveLength(1);
    const ours = agents(cluster).filter(({ metadata }) => metadata.labels?.["slipway.dev/cluster"]);
    expect(ours).toHaveLength(3);
    expect(ours.filter(({ spec }) => spec.clusterDeploymentName === undefined)).toHaveLength(2);
  });

  it("takes the machine that is marked when it shrinks", async () => {
    const { cluster, clock } = test;
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    const marked = cluster.list("Machine")[1];
    cluster.mutate(
      "Machine",
      marked?.metadata.namespace,
      marked?.metadata.name ?? "",
      (machine) => ({
        ...machine,
        metadata: {
          ...machine.metadata,
          annotations: { ...machine.metadata.annotations, "cluster.x-k8s.io/delete-machine": "" },
        },
      }),
    );
    applyNodePools(cluster, resized(order, 1));
    await advanceUntil(clock, () => cluster.list("Machine").length === 1);
    expect(cluster.list("Machine")[0]?.metadata.uid).not.toBe(marked?.metadata.uid);
  });

  it("removes a node pool alone, and keeps the cluster", async () => {
    const { cluster, clock } = test;
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    cluster.delete("NodePool", order.namespace, "abcdefghij-workers");
    await advanceUntil(clock, () => cluster.list("NodePool").length === 0);
    expect(cluster.list("Machine")).toEqual([]);
    expect(condition(hostedCluster(cluster, order), "Available").status).toBe("True");
  });

  it("is gone about 5 minutes after its deletion, its agents free and nothing left", async () => {
    const { cluster, clock, world } = test;
    const before = world.ledger();
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    const began = clock.now();
    await deleteAll(test, order);
    expect(clock.now() - began).toBeGreaterThan(minutes(3));
    expect(clock.now() - began).toBeLessThan(minutes(7));
    expect(agents(cluster).map(stateOf)).toEqual(Array(12).fill("known-unbound"));
    expect(world.ledger()).toEqual(before);
  });

  it("holds its deletion until its agents are unbound", async () => {
    const { cluster, clock } = test;
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    cluster.delete("HostedCluster", order.namespace, order.hostedCluster);
    await advanceUntil(clock, () => reserved().some((agent) => stateOf(agent) === "reclaiming"));
    expect(hostedCluster(cluster, order)?.metadata.deletionTimestamp).toBeDefined();
    expect(pool(cluster, order).metadata.deletionTimestamp).toBeDefined();
    await advanceUntil(clock, () => hostedCluster(cluster, order) === undefined);
    const unbound = ["known-unbound", "discovering-unbound"];
    expect(reserved().every((agent) => unbound.includes(stateOf(agent) ?? ""))).toBe(true);
  });

  it("hangs in deletion when its pull secret is taken away, until that is back", async () => {
    const { cluster, clock } = test;
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    cluster.delete("Secret", order.namespace, "pullsecret-cluster-abcdefghij");
    cluster.delete("HostedCluster", order.namespace, order.hostedCluster);
    await clock.advance(minutes(60));
    expect(condition(hostedCluster(cluster, order), "ReconciliationSucceeded")).toMatchObject({
      status: "False",
      message: expect.stringContaining("failed to get pull secret"),
    });
    const pullSecret = controlPlaneObjects(order).find(({ metadata }) =>
      metadata.name.startsWith("pullsecret"),
    );
    if (pullSecret) cluster.apply(pullSecret, { fieldManager: "slipway" });
    await advanceUntil(clock, () => hostedCluster(cluster, order) === undefined);
  });

  it("is deleted in the middle of its installation, and its agents come back", async () => {
    const { cluster, clock, world } = test;
    const before = world.ledger();
    applyAll(cluster, order);
    await advanceUntil(clock, () =>
      reserved().some((a) => stateOf(a) === "installing-in-progress"),
    );
    await deleteAll(test, order);
    expect(world.ledger()).toEqual(before);
  });

  it("is deleted at once when it was refused, also without its pull secret", async () => {
    const { cluster, clock, world } = test;
    const before = world.ledger();
    applyControlPlane(cluster, order, "pullsecret");
    applyNodePools(cluster, order);
    await clock.advance(minutes(1));
    cluster.delete("HostedCluster", order.namespace, order.hostedCluster);
    await clock.advance(1);
    expect(hostedCluster(cluster, order)).toBeUndefined();
    cluster.delete("Namespace", undefined, order.namespace);
    await advanceUntil(clock, () => !cluster.get("Namespace", undefined, order.namespace));
    expect(world.ledger()).toEqual(before);
  });

  it("reports an agent that failed to install, and gives it back with the pool", async () => {
    const { cluster, clock, world } = test;
    world.faults.add({ target: "hub:hub-a", operation: "install", fault: "error" });
    applyAll(cluster, order);
    await advanceUntil(clock, () => reserved().some((agent) => stateOf(agent) === "error"));
    await clock.advance(minutes(1));
    expect(condition(pool(cluster, order), "AllMachinesReady").message).toContain(
      "InstallationFailed",
    );
    const failed = reserved().find((agent) => stateOf(agent) === "error");
    expect(condition(failed, "Installed")).toMatchObject({
      status: "False",
      reason: "InstallationFailed",
    });
    await deleteAll(test, order);
    expect(agents(cluster).map(stateOf)).toEqual(Array(12).fill("known-unbound"));
  });

  it("frees agents for the next order", async () => {
    const { cluster, clock } = test;
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
    await deleteAll(test, order);
    for (const agent of order.nodeSets[0]?.agents ?? []) release(cluster, agent);
    applyAll(cluster, order);
    await advanceUntil(clock, () => isReady(cluster, order));
  });
});

function resized(order: Order, size: number, more: string[] = []): Order {
  return {
    ...order,
    nodeSets: order.nodeSets.map((nodeSet) => ({
      ...nodeSet,
      size,
      agents: [...nodeSet.agents, ...more],
    })),
  };
}
