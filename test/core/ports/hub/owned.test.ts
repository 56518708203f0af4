import { beforeEach, describe, expect, it } from "vitest";
import { metalLbNamespace } from "../../../../core/ports/hub/clusters/hypershift/objects.ts";
import type { OwnedObject } from "../../../../core/ports/hub/hub.ts";
import { KubernetesHub } from "../../../../core/ports/hub/kubernetes-hub.ts";
import { agentNamespace } from "../../../../core/ports/hub/reported-kinds.ts";
import { parseKubeconfig } from "../../../../core/ports/kubernetes/kubeconfig.ts";
import type { KubeCluster } from "../../../../sim/kubernetes/cluster.ts";
import { advanceUntil, agents, isReady, orderOf, testWorld } from "../../../support/sim-world.ts";

/** What a simulated hub says to belong to whom. */

let client: KubernetesHub;
let cluster: KubeCluster;
let sim: Awaited<ReturnType<typeof testWorld>>;

beforeEach(async () => {
  sim = await testWorld();
  cluster = sim.cluster;
  const connection = parseKubeconfig(sim.hub.kubeconfig ?? "");
  client = new KubernetesHub({ connection, wall: sim.clock, fetch: sim.world.fetch });
});

const owned = async (...ownerKinds: string[]) =>
  (await client.observeAll(ownerKinds)).map(({ kind, name, owner }) => ({ kind, name, owner }));

const byName = (one: Pick<OwnedObject, "name">, other: Pick<OwnedObject, "name">) =>
  one.name < other.name ? -1 : 1;

function namespaceOf(name: string, labels: Record<string, string>): void {
  cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
}

function poolOf(name: string, labels: Record<string, string>): void {
  cluster.create({
    apiVersion: "metallb.io/v1beta1",
    kind: "IPAddressPool",
    metadata: { name, namespace: metalLbNamespace, labels },
    spec: { addresses: ["10.64.9.2-10.64.9.2"], autoAssign: false },
  });
}

/** Labels an agent of the hub; answers its name. */
function agentOf(labels: Record<string, string>): string {
  const [agent] = agents(cluster);
  const { name } = agent?.metadata ?? { name: "" };
  cluster.mutate("Agent", agentNamespace, name, (object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } },
  }));
  return name;
}

describe("what is on a hub", () => {
  const share = { "slipway.dev/share": "s1" };

  it("belongs to the owner that its label names, of each kind that is asked for and no other", async () => {
    const name = agentOf(share);
    namespaceOf("a-share", share);
    poolOf("b-share", share);
    namespaceOf("c-cluster", { "slipway.dev/cluster": "s1" });
    const ofShare = { kind: "share", id: "s1" };
    const ofCluster = { kind: "cluster", id: "s1" };
    const shares = [
      { kind: "Agent", name, owner: ofShare },
      { kind: "Namespace", name: "a-share", owner: ofShare },
      { kind: "IPAddressPool", name: "b-share", owner: ofShare },
    ];
    const clusters = [{ kind: "Namespace", name: "c-cluster", owner: ofCluster }];
    expect((await owned("share")).sort(byName)).toEqual(shares.sort(byName));
    expect(await owned("cluster")).toEqual(clusters);
    expect((await owned("cluster", "share")).sort(byName)).toEqual(
      [...shares, ...clusters].sort(byName),
    );
    expect(await owned()).toEqual([]);
  });

  it("and carries the labels of two owners counts once", async () => {
    const name = agentOf({ ...share, "slipway.dev/cluster": "c1" });
    expect(await owned("cluster", "share")).toEqual([
      { kind: "Agent", name, owner: { kind: "cluster", id: "c1" } },
    ]);
    expect(await owned("share")).toEqual([
      { kind: "Agent", name, owner: { kind: "share", id: "s1" } },
    ]);
  });

  it("and is a hosted cluster belongs to the owner of its namespace, whoever made it", async () => {
    const order = orderOf(cluster);
    await client.clusters.ensureControlPlane(order);
    await client.clusters.ensureNodePools(order);
    await advanceUntil(sim.clock, () => isReady(cluster, order));
    cluster.mutate("HostedCluster", order.namespace, order.hostedCluster, (object) => ({
      ...object,
      metadata: { ...object.metadata, labels: {} },
    }));
    cluster.mutate("Namespace", undefined, order.namespace, (object) => ({
      ...object,
      metadata: { ...object.metadata, labels: share },
    }));
    expect(await owned("share")).toEqual([
      { kind: "HostedCluster", name: order.hostedCluster, owner: { kind: "share", id: "s1" } },
      { kind: "Namespace", name: order.namespace, owner: { kind: "share", id: "s1" } },
    ]);
  });
});
