import { seconds } from "../../core/clock.ts";
import { refreshAgents, refreshCluster } from "../../core/feedback/refresh.ts";
import { namesOf } from "../../core/hub/names.ts";
import type { HostId } from "../../core/id.ts";
import {
  type Cluster,
  type NodeSets,
  nodePoolName,
  wantedNodeSets,
} from "../../core/model/cluster.ts";
import { isReclaimed } from "../../core/model/host.ts";
import { heldHosts, release } from "../../core/placement/release.ts";
import type { StepContext } from "../../core/saga/context.ts";
import { done, type Outcome, pending } from "../../core/saga/saga.ts";
import { changeObject } from "../../core/store/rewrite.ts";
import { attachHosts, detachHosts, outOf } from "./attach-hosts.ts";
import { clusterOf, former, type Goal, mustHaveHub, otherPools } from "./deployment.ts";
import { isThere } from "./site.ts";

/**
 * Hosts that a cluster holds beyond some node sets: first those that left their node set are marked and
 * taken off the cluster's network, then they are given back. Which ones leave, the hub's operators
 * choose; what is marked stays marked, so that both steps mean the same hosts.
 */

const ownLook = seconds(60);

/** Of each node set, how many hosts it holds too many, less those that are marked. */
function excess({ placement }: Cluster, nodeSets: NodeSets): Map<string, number> {
  const marked = new Set(placement?.leaving);
  return new Map(
    Object.entries(placement?.hosts ?? {}).map(([set, hosts]) => {
      const staying = hosts.filter((host) => !marked.has(host)).length;
      return [set, Math.max(0, staying - (nodeSets[set]?.size ?? 0))];
    }),
  );
}

/** Takes our labels off the agents that left, so that no node pool takes them back; then off the network. */
export const detachLeaving = (goal: Goal) => async (context: StepContext) => {
  const { deps } = context;
  const cluster = await clusterOf(context);
  if (!cluster.placement) return;
  await refreshAgents(deps, cluster);
  const left = excess(cluster, goal(cluster));
  const marked = new Set(cluster.placement.leaving);
  const held = await heldHosts(deps.store, cluster);
  const found = held.filter(({ set, host }) => {
    const room = left.get(set) ?? 0;
    if (room === 0 || marked.has(host.id as HostId) || !isReclaimed(host.status.agent))
      return false;
    left.set(set, room - 1);
    return true;
  });
  const hub = await mustHaveHub(context, cluster);
  for (const { host } of found) {
    if (host.status.agent) await hub.releaseAgent(namesOf(cluster), host.status.agent.name);
  }
  const leaving = [...marked, ...found.map(({ host }) => host.id as HostId)];
  await changeObject(deps, "cluster", cluster.id, (current) =>
    current.placement && leaving.length > 0
      ? { ...current, placement: { ...current.placement, leaving } }
      : undefined,
  );
  if (leaving.length > 0) await detachHosts(context, leaving);
};

export const leavingDetached =
  (goal: Goal) =>
  async (context: StepContext): Promise<Outcome> => {
    const cluster = await clusterOf(context);
    const held = await heldHosts(context.deps.store, cluster);
    const waits = [...excess(cluster, goal(cluster))].filter(([, count]) => count > 0);
    if (waits.length > 0) {
      const leaves = (set: string) =>
        held.some(
          ({ set: name, host }) => name === set && isFree(cluster, host.id, host.status.agent),
        );
      // One has come back and is not marked yet: that is for a look.
      const again = waits.some(([set]) => leaves(set)) ? 0 : ownLook;
      const busy = waits.map(([set, count]) => `${count} of ${set}`).join(", ");
      return pending(`hosts to be reclaimed: ${busy}`, again);
    }
    const unbound = await isThere("attachments")(context);
    if (!unbound.done) return unbound;
    const marked = new Set<string>(cluster.placement?.leaving);
    return outOf(
      held.filter(({ host }) => marked.has(host.id)).map(({ host }) => host),
      cluster,
    );
  };

const isFree = (
  { placement }: Cluster,
  host: string,
  agent: Parameters<typeof isReclaimed>[0],
): boolean => isReclaimed(agent) && !placement?.leaving?.some((marked) => marked === host);

/** Takes away the pools of node sets that are no more; their hosts have left them. */
export const removeEmptyPools = (context: StepContext) => removePools(context, wantedNodeSets);

async function removePools(context: StepContext, goal: Goal): Promise<void> {
  const cluster = await clusterOf(context);
  const nodeSets = goal(cluster);
  if (otherPools(cluster, nodeSets).length === 0) return;
  const hub = await mustHaveHub(context, cluster);
  const kept = Object.keys(nodeSets).map((name) => nodePoolName(cluster, name));
  await context.guard();
  await hub.removeNodePools(namesOf(cluster), kept);
}

/** Looks after the pools that go, and gives the marked hosts back. */
async function lookAtLeaving(context: StepContext, goal: Goal): Promise<void> {
  await removePools(context, goal);
  const cluster = await clusterOf(context);
  if (otherPools(cluster, goal(cluster)).length > 0) await refreshCluster(context.deps, cluster.id);
  await release(context.deps, cluster.id, new Set(cluster.placement?.leaving), false);
}

export const releaseLeaving = (context: StepContext) => lookAtLeaving(context, wantedNodeSets);

/** For an undo, which may meet hosts that were never attached. */
export async function releaseNewcomers(context: StepContext): Promise<void> {
  await detachLeaving(former)(context);
  if ((await leavingDetached(former)(context)).done) await lookAtLeaving(context, former);
}

export async function newcomersReleased(context: StepContext): Promise<Outcome> {
  const detached = await leavingDetached(former)(context);
  return detached.done ? released(context, former) : detached;
}

/** Those that were on their way out stay after all. */
export async function keepLeaving(context: StepContext): Promise<void> {
  await changeObject(context.deps, "cluster", context.operation.spec.target.id, (cluster) => {
    if (!cluster.placement?.leaving) return undefined;
    const { leaving: _, ...placement } = cluster.placement;
    return { ...cluster, placement };
  });
  await attachHosts(context);
}

export const leavingReleased = (context: StepContext) => released(context, wantedNodeSets);

async function released(context: StepContext, goal: Goal): Promise<Outcome> {
  const cluster = await clusterOf(context);
  const count = cluster.placement?.leaving?.length ?? 0;
  if (count > 0) return pending(`gives ${count} hosts back`, 0);
  const pools = otherPools(cluster, goal(cluster));
  return pools.length === 0 ? done : pending(`node pools to be gone: ${pools.join(", ")}`, ownLook);
}
