import { AppError } from "../../../core/error.ts";
import type { Context } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { heldHosts } from "../../../core/placement/release.ts";
import {
  type Cluster,
  type NodeSets,
  wantedNodeSets,
} from "../../../core/resources/cluster/model.ts";
import { otherPools } from "./deployment.ts";

/** The state of an agent whose host is a node. */
const joined = "added-to-existing-cluster";

/**
 * Waits until every node pool has its size and is healthy; an agent whose installation failed fails the
 * order.
 */
export async function nodesJoined(cluster: Cluster, context: Context): Promise<Outcome> {
  const held = await heldHosts(context.deps, cluster);
  const broken = held.find(({ host }) => host.status.agent?.state === "error")?.host;
  if (broken) {
    const { name } = broken.metadata;
    throw new AppError(
      "Rejected",
      `host ${name} failed to install: ${broken.status.agent?.message}`,
    );
  }
  return nodesAt(cluster, wantedNodeSets(cluster), context);
}

/**
 * Waits until every node pool of these node sets has its size and is healthy, and every other node pool
 * is empty.
 */
export async function nodesAt(
  cluster: Cluster,
  nodeSets: NodeSets,
  { deps }: Context,
): Promise<Outcome> {
  const behind = unfinished(cluster, nodeSets);
  if (behind.length === 0) return done;
  const sets = behind.map(({ name, have, size }) => `${name} ${have} of ${size}`).join(", ");
  const held = await heldHosts(deps, cluster);
  const states = new Set(held.map(({ host }) => host.status.agent?.state ?? "unknown"));
  states.delete(joined);
  const hosts = states.size > 0 ? `hosts are ${[...states].join(", ")}` : "";
  const why = hosts || behind.find(({ message }) => message)?.message;
  return pending(`nodes: ${sets}${why ? ` (${why})` : ""}`);
}

/** Node sets that do not have their size, or are not healthy. */
function unfinished(cluster: Cluster, nodeSets: NodeSets) {
  const sizes = [
    ...Object.entries(nodeSets).map(([name, { size }]) => [name, size] as const),
    ...otherPools(cluster, nodeSets).map((name) => [name, 0] as const),
  ];
  return sizes.flatMap(([name, size]) => {
    const pool = cluster.observed.node_pools[name];
    const have = pool?.gone ? 0 : (pool?.replicas ?? 0);
    const current = pool !== undefined && pool.desired === size;
    if (current && have === size && (size === 0 || pool.ready)) return [];
    return [{ name, have, size, message: pool?.message }];
  });
}
