import { expect, it } from "vitest";
import { isReclaimed } from "../../core/placement/host.ts";
import { agentNamespace } from "../../core/ports/hub/agents/port.ts";
import { KubernetesHub } from "../../core/ports/hub/kubernetes-hub.ts";
import type { News } from "../../core/ports/hub/news.ts";
import type { NewsKind } from "../../core/ports/hub/reported-kinds.ts";
import { parseKubeconfig } from "../../core/ports/kubernetes/kubeconfig.ts";
import { observedControlPlane, observedNodePool } from "../../core/resources/cluster/observed.ts";
import { observedAgent } from "../../core/resources/host/observed.ts";
import { type Order, ownerIn } from "../support/deployment.ts";
import { advanceUntil, bodyOf, isReady, orderOf, testWorld } from "../support/sim-world.ts";

it("is driven by the product's own hub client, from an order to nothing left", async () => {
  const { world, clock, hub, cluster } = await testWorld();
  const connection = parseKubeconfig(hub.kubeconfig ?? "");
  const client = new KubernetesHub({ connection, wall: clock, fetch: world.fetch });
  const order = orderOf(cluster);
  const before = world.ledger();
  const newsOf = (news: News[], kind: NewsKind) => news.filter((one) => one.kind === kind);

  expect(await client.probe()).toMatch(/^v1\./);
  await client.clusters.ensureControlPlane(order);
  await client.clusters.ensureNodePools(order);
  await advanceUntil(clock, () => isReady(cluster, order));

  expect(await client.observeAll(["cluster"])).toEqual([
    { kind: "HostedCluster", name: order.hostedCluster, ...standing(order) },
    { kind: "NodePool", name: order.nodeSets[0]?.nodePool, ...standing(order) },
    { kind: "Namespace", name: order.namespace, owner: ownerIn(order) },
    ...(order.nodeSets[0]?.agents ?? []).map((name) => ({
      kind: "Agent",
      name,
      namespace: agentNamespace,
      owner: ownerIn(order),
    })),
  ]);

  const news = await client.clusters.read(order);
  const [control] = newsOf(news, "HostedCluster");
  expect(control && observedControlPlane(control, undefined, "now")).toMatchObject({
    available: true,
    degraded: false,
    version_completed: true,
    version: "4.17.9",
    endpoint: { port: 6443 },
  });
  const [pool] = newsOf(news, "NodePool");
  expect(pool && observedNodePool(pool, "now")).toMatchObject({
    desired: 2,
    ready: true,
    version_completed: true,
  });
  expect(newsOf(news, "Agent").map((agent) => observedAgent(agent, "now").bound_to)).toEqual([
    order.hostedCluster,
    order.hostedCluster,
  ]);
  const operators = await client.clusters.readOperators(order);
  expect(operators?.unavailable.map((line) => line.split(":")[0])).toEqual(["console", "ingress"]);
  expect(await client.credentials.readPassword(order)).toMatch(/^\w{5}(-\w{5}){3}$/);
  const guest = parseKubeconfig((await client.credentials.readKubeconfig(order)) ?? "");
  const nodes = await bodyOf<{ items: unknown[] }>(
    world.fetch(`${guest.server}/api/v1/nodes`, {
      headers: { authorization: `Bearer ${guest.token}` },
    }),
  );
  expect(nodes.items).toHaveLength(2);

  await client.clusters.removeHostedCluster(order);
  await expect(client.clusters.removeNamespace(order)).rejects.toThrow("still being removed");
  const gone = () => cluster.list("HostedCluster").length === 0;
  await advanceUntil(clock, gone);
  const names = order.nodeSets[0]?.agents ?? [];
  const free = async () => {
    const agents = newsOf(await client.readAll(), "Agent");
    return agents.every((agent) => isReclaimed(observedAgent(agent, "now")));
  };
  while (!(await free())) await clock.advance(10_000);
  for (const name of names) await client.agents.release(ownerIn(order), name);
  await client.clusters.removeNamespace(order);
  await advanceUntil(
    clock,
    () => cluster.get("Namespace", undefined, order.namespace) === undefined,
  );
  expect(world.ledger()).toEqual(before);
  expect(await client.observeAll(["cluster"])).toEqual([]);
  await client.close();
});

const standing = (order: Order) => ({
  namespace: order.namespace,
  owner: ownerIn(order),
});
