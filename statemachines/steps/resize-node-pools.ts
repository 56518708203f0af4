import type { Cluster } from "../../core/model/cluster.ts";
import type { StepContext } from "../../core/saga/context.ts";
import type { Outcome } from "../../core/saga/saga.ts";
import { clusterOf, deploymentOf, former, mustHaveHub, type Sizes, wanted } from "./deployment.ts";
import { nodesAt } from "./join-nodes.ts";

/** Node pools to the wished size, or back to the former one. */

const apply = (sizes: Sizes) => async (context: StepContext) => {
  const cluster: Cluster = await clusterOf(context);
  const hub = await mustHaveHub(context, cluster);
  const deployment = await deploymentOf(context.deps, cluster, sizes(context, cluster));
  await context.guard();
  await hub.ensureNodePools(deployment);
};

export const resizeNodePools = apply(wanted);
export const restoreNodePools = apply(former);

export async function nodePoolsRestored(context: StepContext): Promise<Outcome> {
  const cluster = await clusterOf(context);
  return nodesAt(context, cluster, former(context, cluster));
}
