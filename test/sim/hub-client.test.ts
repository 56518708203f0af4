import { expect, it } from "vitest";
import { KubernetesHub } from "../../core/ports/hub/clusters/hypershift/hypershift.ts";
import { agentNamespace, type Deployment } from "../../core/ports/hub/hub.ts";
import type { News, NewsKind } from "../../core/ports/hub/news.ts";
import { parseKubeconfig } from "../../core/ports/kubernetes/kubeconfig.ts";
import {
  observedAgent,
  observedControlPlane,
  observedNodePool,
} from "../../core/resources/cluster/observed.ts";
import { isReclaimed } from "../../core/resources/host/model.ts";
import { advanceUntil, bodyOf, isReady, orderOf, testWorld } from "../support/sim-world.ts";

it("is driven by the product's own hub client, from an order to nothing left", async () => {
  const { world, clock, hub, cluster } = await testWorld();
  const connection = parseKubeconfig(hub.kubeconfig ?? "");
  const client = new KubernetesHub({ connection, wall: clock, fetch: world.fetch });
  const order = orderOf(cluster);
  const before = world.ledger();
  const newsOf = (news: News[], kind: NewsKind) => news.filter((one) => one.kind === kind);

  expect(await client.probe()).toMatch(/^v1\./);
  await client.ensureControlPlane(order);
  await client.ensureNodePools(order);
  await advanceUntil(clock, () => isReady(cluster, order));

  expect(await client.observeAll()).toEqual([
    { kind: "HostedCluster", name: order.hostedCluster, ...standing(order) },
    { kind: "NodePool", name: order.nodeSets[0]?.nodePool, ...standing(order) },
    { kind: "Namespace", name: order.namespace, cluster: order.cluster },
    ...(order.nodeSets[0]?.agents ?? []).map((name) => ({
      kind: "Agent",
      name,
      namespace: agentNamespace,
      cluster: order.cluster,
    })),
  ]);

  const news = await client.read(order);
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
  const operators = await client.readOperators(order);
  expect(operators?.unavailable.map((line) => line.split(":")[0])).toEqual(["console", "ingress"]);
  expect(await client.readPassword(order)).toMatch(/^\w{5}(-\w{5}){3}$/);
  const guest = parseKubeconfig((await client.readKubeconfig(order)) ?? "");
  const nodes = await bodyOf<{ items: unknown[] }>(
    world.fetch(`${guest.server}/api/v1/nodes`, {
      headers: { authorization: `Bearer ${guest.token}` },
    }),
  );
  expect(nodes.items).toHaveLength(2);

  await client.removeHostedCluster(order);
  await expect(client.removeNamespace(order)).rejects.toThrow("still being removed");
  const gone = () => cluster.list("HostedCluster").length === 0;
  await advanceUntil(clock, gone);
  const names = order.nodeSets[0]?.agents ?? [];
  const free = async () => {
    const agents = newsOf(await client.readAll(), "Agent");
    return agents.every((agent) => isReclaimed(observedAgent(agent, "now")));
  };
  while (!(await free())) await clock.advance(10_000);
  for (const name of names) await client.releaseAgent(order, name);
  await client.removeNamespace(order);
  await advanceUntil(
    clock,
    () => cluster.get("Namespace", undefined, order.namespace) === undefined,
  );
  expect(world.ledger()).toEqual(before);
  expect(await client.observeAll()).toEqual([]);
  await client.close();
});

const standing = ({ namespace, cluster }: Deployment) => ({ namespace, cluster });
