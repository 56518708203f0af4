import type { DatabaseSync } from "node:sqlite";
import { timestamp } from "../../core/clock.ts";
import { agentLabels } from "../../core/ports/hub/agents/labels.ts";
import { controlPlaneObjects, nodePool } from "../../core/ports/hub/clusters/hypershift/objects.ts";
import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import { openDatabase } from "../../sim/database.ts";
import type { Hub } from "../../sim/hub.ts";
import type { KubeCluster, KubeObject } from "../../sim/kubernetes/cluster.ts";
import type { KubeCondition } from "../../sim/operators/conditions.ts";
import {
  type Agent,
  type HostedCluster,
  type NodePool,
  read,
} from "../../sim/operators/objects.ts";
import { seedWorld } from "../../sim/seed.ts";
import { openWorld, type World } from "../../sim/world.ts";
import type { WorldOptions } from "../../sim/world-options.ts";
import { deployment, type Order } from "./deployment.ts";
import { seeded } from "./random.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface TestWorld {
  world: World;
  clock: VirtualClock;
  database: DatabaseSync;
  hub: Hub;
  cluster: KubeCluster;
}

/** The seeded world in virtual time, started. One that goes on at a time draws other numbers than at first. */
export async function testWorld(
  options: Partial<WorldOptions> = {},
  at?: number,
): Promise<TestWorld> {
  const clock = new VirtualClock(at);
  const database = options.database ?? openDatabase(":memory:");
  const random = seeded(at ?? 1);
  const world = openWorld({ database, clock, wall: clock, random, ...options });
  await seedWorld(world);
  await world.start();
  const hub = world.hub("hub-a");
  return { world, clock, database, hub, cluster: hub.cluster };
}

/** Moves the clock on until `condition` holds; fails after `limit` simulated milliseconds. */
export async function advanceUntil(
  clock: VirtualClock,
  condition: () => boolean,
  limit = 60 * 60_000,
): Promise<void> {
  const end = clock.now() + limit;
  while (!condition()) {
    if (clock.now() >= end) throw new Error(`still not so at ${timestamp(clock.now())}`);
    await clock.advance(5_000);
  }
}

export function agents(cluster: KubeCluster): Agent[] {
  return cluster.list("Agent", { namespace: agentNamespace }).map((agent) => read<Agent>(agent));
}

export const stateOf = (agent: Agent): string | undefined => agent.status?.debugInfo?.state;

/** An order of one node set for agents of the hub that are free. */
export function orderOf(cluster: KubeCluster, size = 2): Order {
  const free = agents(cluster).filter(({ metadata }) => !metadata.labels?.["slipway.dev/cluster"]);
  const nodeSet = {
    name: "workers",
    nodePool: "abcdefghij-workers",
    hostType: "fc430",
    size,
    agents: free.slice(0, size).map(({ metadata }) => metadata.name),
  };
  return deployment({ nodeSets: [nodeSet] });
}

const slipway = { fieldManager: "slipway", force: true };

/** What Slipway does, step by step, on the hub. */
export function applyControlPlane(cluster: KubeCluster, order: Order, without = ""): void {
  for (const object of controlPlaneObjects(order)) {
    if (object.metadata.name.startsWith(without) && without !== "") continue;
    cluster.apply(object, slipway);
  }
}

export function reserveAgents(cluster: KubeCluster, order: Order, approved = true): void {
  for (const nodeSet of order.nodeSets) {
    for (const name of nodeSet.agents) {
      cluster.patch("Agent", agentNamespace, name, (agent) => ({
        ...agent,
        metadata: {
          ...agent.metadata,
          labels: { ...agent.metadata.labels, ...agentLabels(order, nodeSet.name) },
        },
        spec: { ...read<Agent>(agent).spec, approved },
      }));
    }
  }
}

export function applyNodePools(cluster: KubeCluster, order: Order): void {
  for (const nodeSet of order.nodeSets) cluster.apply(nodePool(order, nodeSet), slipway);
}

export function applyAll(cluster: KubeCluster, order: Order): void {
  applyControlPlane(cluster, order);
  reserveAgents(cluster, order);
  applyNodePools(cluster, order);
}

/** Takes everything away in the order of docs/reference/hub.md §7; resolves when nothing is left. */
export async function deleteAll(
  { cluster, clock }: Pick<TestWorld, "cluster" | "clock">,
  order: Order,
): Promise<void> {
  cluster.delete("HostedCluster", order.namespace, order.hostedCluster);
  await finishDeletion(cluster, clock, order);
}

/** Waits for a HostedCluster that is being deleted, and takes the rest away. */
export async function finishDeletion(
  cluster: KubeCluster,
  clock: VirtualClock,
  order: Order,
): Promise<void> {
  await advanceUntil(clock, () => hostedCluster(cluster, order) === undefined);
  await advanceUntil(clock, () =>
    agents(cluster).every((agent) => stateOf(agent) === "known-unbound"),
  );
  for (const { metadata } of agents(cluster)) release(cluster, metadata.name);
  cluster.delete("Namespace", undefined, order.namespace);
  await advanceUntil(clock, () => !cluster.get("Namespace", undefined, order.namespace));
}

export function release(cluster: KubeCluster, agent: string): void {
  cluster.patch("Agent", agentNamespace, agent, (object) => {
    const labels = Object.entries(object.metadata.labels ?? {});
    const kept = Object.fromEntries(labels.filter(([key]) => !key.startsWith("slipway.dev/")));
    return { ...object, metadata: { ...object.metadata, labels: kept } };
  });
}

export function hostedCluster(cluster: KubeCluster, order: Order): HostedCluster | undefined {
  const found = cluster.get("HostedCluster", order.namespace, order.hostedCluster);
  return found && read<HostedCluster>(found);
}

export function pool(cluster: KubeCluster, order: Order): NodePool {
  const found = cluster.get("NodePool", order.namespace, order.nodeSets[0]?.nodePool ?? "");
  if (!found) throw new Error("the node pool is not there");
  return read<NodePool>(found);
}

/** A condition of an object; `Missing` when it has none of this type. */
export function condition(object: KubeObject | undefined, type: string): Partial<KubeCondition> {
  const status = object?.status as { conditions?: KubeCondition[] } | undefined;
  return status?.conditions?.find((one) => one.type === type) ?? {};
}

/** Whether everything that READY needs is there (docs/reference/hub.md §5). */
export function isReady(cluster: KubeCluster, order: Order): boolean {
  const hosted = hostedCluster(cluster, order);
  return (
    condition(hosted, "Available").status === "True" &&
    hosted?.status?.version?.history[0]?.state === "Completed" &&
    pool(cluster, order).status?.replicas === order.nodeSets[0]?.size &&
    condition(pool(cluster, order), "AllNodesHealthy").status === "True"
  );
}

/** The body of an answer, in the shape that the test expects. */
export async function bodyOf<Body>(response: Response | Promise<Response>): Promise<Body> {
  return (await (await response).json()) as Body;
}
