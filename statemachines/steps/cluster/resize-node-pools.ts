import { ownerOf } from "../../../core/at-site/owner.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import type { Outcome } from "../../../core/kernel/saga/saga.ts";
import { excess } from "../../../core/placement/reserve/leaving.ts";
import { heldHosts } from "../../../core/placement/reserve/release.ts";
import {
  type Cluster,
  type NodeSets,
  wantedNodeSets,
} from "../../../core/resources/cluster/model.ts";
import { isReplaced } from "../../../core/resources/cluster/replacing.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import {
  deploymentOf,
  mustHaveHub,
  type NodeSetSelector,
  nodeSetsInReplacement,
  previousNodeSets,
  workersOf,
} from "./deployment.ts";
import { nodesAt } from "./join-nodes.ts";

/**
 * Resizes the node pools to the desired sizes, or back to the previous ones. A node pool of no node set
 * is emptied.
 */

const apply =
  (select: NodeSetSelector) => async (cluster: Cluster, context: StepContext<Cluster>) => {
    const hub = await mustHaveHub(cluster, context);
    const deployment = await deploymentOf(context.deps, cluster, select(cluster));
    await hub.clusters.letLeaveFirst(
      ownerOf(cluster),
      await inMaintenance(cluster, select(cluster), context),
    );
    // New nodes need the pull secret, so it is applied first.
    await hub.clusters.ensurePullSecret(deployment);
    await hub.clusters.ensureNodePools(deployment);
  };

/** The agents of hosts in maintenance, which leave first if a node set has too many hosts. */
async function inMaintenance(
  cluster: Cluster,
  nodeSets: NodeSets,
  { deps }: Context,
): Promise<string[]> {
  if (!cluster.placement) return [];
  const surplus = excess(cluster.placement, nodeSets);
  const held = await heldHosts(deps, cluster);
  return held.flatMap(({ set, host: { id, maintenance, status } }) =>
    maintenance && status.agent && surplus.get(set) && !isReplaced(cluster, id)
      ? [status.agent.name]
      : [],
  );
}

/** Replaced hosts stay until their replacements are nodes. */
export const resizeNodePools = apply(nodeSetsInReplacement);
/**
 * Shrinks the node pools by the replaced hosts, whose replacements are nodes now. If a replaced host was
 * released meanwhile, the newest host of its node set leaves instead.
 */
export async function letReplacedLeave(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  if (!cluster.replacing) return;
  const wanted = wantedNodeSets(cluster);
  const held = await heldHosts(context.deps, cluster);
  const going = Object.keys(wanted).flatMap((name) =>
    goingOf(
      cluster,
      held.filter(({ set }) => set === name).map(({ host }) => host),
    ),
  );
  if (going.length === 0) return;
  const hub = await mustHaveHub(cluster, context);
  const agents = going.flatMap(({ status }) => (status.agent ? [status.agent.name] : []));
  await hub.clusters.letLeaveFirst(ownerOf(cluster), agents);
  await hub.clusters.ensureNodePools(await workersOf(context.deps, cluster, wanted));
}

/** The hosts of a node set that leave. A cluster lists its hosts in order of arrival. */
function goingOf(cluster: Cluster, hosts: Host[]): Host[] {
  const replaced = hosts.filter(({ id }) => isReplaced(cluster, id));
  const others = hosts.filter(({ id }) => !isReplaced(cluster, id));
  const leaving = replaced.filter(({ maintenance }) => maintenance);
  const staying = replaced.length - leaving.length;
  return [...leaving, ...others.slice(others.length - staying)];
}

export const restoreNodePools = apply(previousNodeSets);

export const nodePoolsRestored = (cluster: Cluster, context: Context): Promise<Outcome> =>
  nodesAt(cluster, previousNodeSets(cluster), context);
