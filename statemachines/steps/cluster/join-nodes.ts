import { AppError } from "../../../core/error.ts";
import type { Context } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { heldHosts } from "../../../core/placement/reserve/release.ts";
import type { Cluster, NodeSets } from "../../../core/resources/cluster/model.ts";
import { isReplaced, replacedOf } from "../../../core/resources/cluster/replacing.ts";
import { nodeSetsInReplacement, otherPools } from "./deployment.ts";

/** The state of an agent whose host is a node. */
const joined = "added-to-existing-cluster";

/**
 * Waits until every node pool has its size and is healthy; an agent whose installation failed fails the order.
 * While hosts are replaced, the node pools contain both the old and the new ones.
 */
export async function nodesJoined(cluster: Cluster, context: Context): Promise<Outcome> {
  const held = await heldHosts(context.deps, cluster);
  const broken = held.find(
    ({ host }) => host.status.agent?.state === "error" && !isReplaced(cluster, host.id),
  )?.host;
  if (broken) {
    const { name } = broken.metadata;
    throw new AppError(
      "Rejected",
      `host ${name} failed to install: ${broken.status.agent?.message}`,
    );
  }
  return nodesAt(cluster, nodeSetsInReplacement(cluster), context);
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
  const unready = unfinished(cluster, nodeSets);
  if (unready.length === 0) return done;
  const held = await heldHosts(deps, cluster);
  const behind = unready.filter((pool) => !isReplacedIn(cluster, pool, held));
  if (behind.length === 0) return done;
  const sets = behind.map(({ name, have, size }) => `${name} ${have} of ${size}`).join(", ");
  const states = new Set(held.map(({ host }) => host.status.agent?.state ?? "unknown"));
  states.delete(joined);
  const hosts = states.size > 0 ? `hosts are ${[...states].join(", ")}` : "";
  const why = hosts || behind.find(({ message }) => message)?.message;
  return pending(`nodes: ${sets}${why ? ` (${why})` : ""}`);
}

/**
 * Whether a node set is healthy apart from the hosts that it replaces, which may be the broken ones: its pool has
 * the desired size, and all other hosts are nodes.
 */
function isReplacedIn(
  cluster: Cluster,
  { name, have, size, isTold }: ReturnType<typeof unfinished>[number],
  held: Awaited<ReturnType<typeof heldHosts>>,
): boolean {
  const replaced = replacedOf(cluster, name);
  const staying = held.filter(({ set, host }) => set === name && !isReplaced(cluster, host.id));
  return (
    isTold &&
    replaced > 0 &&
    have >= size - replaced &&
    staying.every(({ host }) => host.status.agent?.state === joined)
  );
}

/** Node sets that are unhealthy or not at their size. */
function unfinished(cluster: Cluster, nodeSets: NodeSets) {
  const sizes = [
    ...Object.entries(nodeSets).map(([name, { size }]) => [name, size] as const),
    ...otherPools(cluster, nodeSets).map((name) => [name, 0] as const),
  ];
  return sizes.flatMap(([name, size]) => {
    const pool = cluster.observed.node_pools[name];
    const have = pool?.gone ? 0 : (pool?.replicas ?? 0);
    const isTold = pool !== undefined && pool.desired === size;
    if (isTold && have === size && (size === 0 || pool.ready)) return [];
    return [{ name, have, size, isTold, message: pool?.message }];
  });
}
