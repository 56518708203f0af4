import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import type { Outcome } from "../../../core/kernel/saga/saga.ts";
import { excess } from "../../../core/placement/leaving.ts";
import { heldHosts } from "../../../core/placement/release.ts";
import {
  type Cluster,
  type NodeSets,
  wantedNodeSets,
} from "../../../core/resources/cluster/model.ts";
import { ownerOf } from "../../../core/resources/site/owner.ts";
import { deploymentOf, mustHaveHub, type NodeSetSelector, previousNodeSets } from "./deployment.ts";
import { nodesAt } from "./join-nodes.ts";

/**
 * Resizes the node pools to the wanted sizes, or back to the previous ones. A node pool of no node set
 * is emptied.
 */

const apply =
  (select: NodeSetSelector) => async (cluster: Cluster, context: StepContext<Cluster>) => {
    const hub = await mustHaveHub(cluster, context);
    const deployment = await deploymentOf(context.deps, cluster, select(cluster));
    await hub.clusters.letLeaveFirst(
      ownerOf(cluster),
      await outOfService(cluster, select(cluster), context),
    );
    // The pull secret comes first: new nodes need it.
    await hub.clusters.ensurePullSecret(deployment);
    await hub.clusters.ensureNodePools(deployment);
  };

/** The agents of hosts that should leave first: hosts out of service, in node sets that have too many. */
async function outOfService(
  cluster: Cluster,
  nodeSets: NodeSets,
  { deps }: Context,
): Promise<string[]> {
  if (!cluster.placement) return [];
  const surplus = excess(cluster.placement, nodeSets);
  const held = await heldHosts(deps, cluster);
  return held.flatMap(({ set, host: { spec, status } }) =>
    spec.unschedulable && status.agent && surplus.get(set) ? [status.agent.name] : [],
  );
}

export const resizeNodePools = apply(wantedNodeSets);
export const restoreNodePools = apply(previousNodeSets);

export const nodePoolsRestored = (cluster: Cluster, context: Context): Promise<Outcome> =>
  nodesAt(cluster, previousNodeSets(cluster), context);
