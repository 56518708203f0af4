import { wantedNodeSets } from "../../core/model/cluster.ts";
import type { StepContext } from "../../core/saga/context.ts";
import type { Outcome } from "../../core/saga/saga.ts";
import { clusterOf, deploymentOf, former, type Goal, mustHaveHub } from "./deployment.ts";
import { nodesAt } from "./join-nodes.ts";

/** Node pools to the wished sizes, or back to the former ones. What is in neither is emptied. */

const apply = (goal: Goal) => async (context: StepContext) => {
  const cluster = await clusterOf(context);
  const hub = await mustHaveHub(context, cluster);
  const deployment = await deploymentOf(context.deps, cluster, goal(cluster));
  await context.guard();
  // First: new nodes are to have it.
  await hub.ensurePullSecret(deployment);
  await context.guard();
  await hub.ensureNodePools(deployment);
};

export const resizeNodePools = apply(wantedNodeSets);
export const restoreNodePools = apply(former);

export async function nodePoolsRestored(context: StepContext): Promise<Outcome> {
  const cluster = await clusterOf(context);
  return nodesAt(context, cluster, former(cluster));
}
