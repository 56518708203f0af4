import { seconds } from "../../core/clock.ts";
import { namesOf, refreshAgents } from "../../core/feedback/refresh.ts";
import type { Cluster } from "../../core/model/cluster.ts";
import { isReclaimed } from "../../core/model/host.ts";
import { heldHosts, release } from "../../core/placement/release.ts";
import type { StepContext } from "../../core/saga/context.ts";
import { done, type Outcome, pending } from "../../core/saga/saga.ts";
import { clusterOf, deploymentOf, mustHaveHub, sizesOf } from "./deployment.ts";
import { nodesAt } from "./join-nodes.ts";

/** Changing the size of node sets: reserve first, grow or shrink the pools, give back what left. */

const ownLook = seconds(60);

/** The sizes to go back to: those of the last operation that succeeded. */
const formerSizes = (cluster: Cluster): Record<string, number> => cluster.applied ?? {};

const applySizes = async (
  context: StepContext,
  cluster: Cluster,
  sizes: Record<string, number>,
): Promise<void> => {
  const hub = await mustHaveHub(context, cluster);
  const deployment = await deploymentOf(context.deps, cluster, sizes);
  await context.guard();
  await hub.ensureNodePools(deployment);
};

export async function resizeNodePools(context: StepContext): Promise<void> {
  const cluster = await clusterOf(context);
  await applySizes(context, cluster, sizesOf(context.operation, cluster));
}

export async function restoreNodePools(context: StepContext): Promise<void> {
  const cluster = await clusterOf(context);
  await applySizes(context, cluster, formerSizes(cluster));
}

export async function nodePoolsRestored(context: StepContext): Promise<Outcome> {
  const cluster = await clusterOf(context);
  return nodesAt(context, cluster, formerSizes(cluster));
}

/** Hosts to give back: of each node set, as many as it holds too many, among those that left it. */
async function leaving(context: StepContext, cluster: Cluster, sizes: Record<string, number>) {
  const held = await heldHosts(context.deps.store, cluster);
  return Object.entries(cluster.placement?.hosts ?? {}).map(([set, hosts]) => {
    const tooMany = Math.max(0, hosts.length - (sizes[set] ?? 0));
    const gone = held
      .filter((row) => row.set === set && isReclaimed(row.host.status.agent))
      .map(({ host }) => host);
    return { set, tooMany, hosts: gone.slice(0, tooMany) };
  });
}

/** Takes our labels off the agents that left, so that nobody else's node pool finds them ours; then frees them. */
async function releaseBeyond(
  context: StepContext,
  sizes: (cluster: Cluster) => Record<string, number>,
): Promise<void> {
  const { deps } = context;
  const cluster = await clusterOf(context);
  if (!cluster.placement) return;
  await refreshAgents(deps, cluster);
  const rows = await leaving(context, cluster, sizes(cluster));
  const hosts = rows.flatMap((row) => row.hosts);
  const hub = await mustHaveHub(context, cluster);
  for (const { status } of hosts) {
    if (status.agent) await hub.releaseAgent(namesOf(cluster), status.agent.name);
  }
  await release(deps, cluster.id, new Set(hosts.map((host) => host.id)), false);
}

async function releasedBeyond(
  context: StepContext,
  sizes: (cluster: Cluster) => Record<string, number>,
): Promise<Outcome> {
  const cluster = await clusterOf(context);
  const rows = (await leaving(context, cluster, sizes(cluster))).filter((row) => row.tooMany > 0);
  if (rows.length === 0) return done;
  if (rows.every((row) => row.hosts.length === row.tooMany)) return pending("gives hosts back", 0);
  const busy = rows.map((row) => `${row.tooMany - row.hosts.length} of ${row.set}`).join(", ");
  return pending(`hosts to be reclaimed: ${busy}`, ownLook);
}

const wanted = (context: StepContext) => (cluster: Cluster) => sizesOf(context.operation, cluster);

export const releaseLeaving = (context: StepContext) => releaseBeyond(context, wanted(context));
export const leavingReleased = (context: StepContext) => releasedBeyond(context, wanted(context));
export const releaseNewcomers = (context: StepContext) => releaseBeyond(context, formerSizes);
export const newcomersReleased = (context: StepContext) => releasedBeyond(context, formerSizes);
