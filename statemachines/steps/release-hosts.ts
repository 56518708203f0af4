import { seconds } from "../../core/clock.ts";
import type { StepContext } from "../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../core/kernel/saga/saga.ts";
import { excess, leavingOf, letLeave, withLeaving } from "../../core/placement/leaving.ts";
import { heldHosts, release } from "../../core/placement/release.ts";
import { namesOf } from "../../core/ports/hub/clusters/names.ts";
import { refreshAgents, refreshCluster } from "../../core/reconcile/refresh.ts";
import { clusterPlacing } from "../../core/resources/cluster/demand.ts";
import { nodePoolName, wantedNodeSets } from "../../core/resources/cluster/model.ts";
import { isReclaimed } from "../../core/resources/host/model.ts";
import { attachHosts, detachHosts, outOf } from "./attach-hosts.ts";
import {
  changeCluster,
  clusterOf,
  former,
  type Goal,
  mustHaveHub,
  otherPools,
} from "./deployment.ts";
import { askAgain } from "./site.ts";

/**
 * Hosts that a cluster holds beyond some node sets: first those that left their node set are marked and
 * taken off the cluster's network, then they are given back. Which ones leave, the hub's operators
 * choose; what is marked stays marked, so that both steps mean the same hosts.
 */

const ownLook = seconds(60);

/**
 * Marks those that left, then takes our labels off their agents, so that no node pool takes them
 * back, then takes them off the network. Who is marked is decided in the write: a look that took
 * its time must not bring back what others have done meanwhile.
 */
export const detachLeaving = (goal: Goal) => async (context: StepContext) => {
  const { deps, operation } = context;
  const before = await clusterOf(context);
  if (!before.placement) return;
  await refreshAgents(deps, before);
  const held = await heldHosts(deps.store, before);
  const free = held.filter(({ host }) => isReclaimed(host.status.agent)).map(({ host }) => host.id);
  const cluster = await changeCluster(context, (current) =>
    letLeave(current, goal(current), new Set(free)),
  );
  if (!cluster.placement || cluster.operation !== operation.id) return;
  const leaving = leavingOf(cluster.placement);
  const labelled = held.flatMap(({ host: { id, status } }) =>
    status.agent?.labelled_for && leaving.some((host) => host === id) ? [status.agent.name] : [],
  );
  const hub = await mustHaveHub(context, cluster);
  for (const agent of labelled) await hub.releaseAgent(namesOf(cluster), agent);
  await detachHosts(context, leaving);
};

export const leavingDetached =
  (goal: Goal) =>
  async (context: StepContext): Promise<Outcome> => {
    const cluster = await clusterOf(context);
    const { placement, site } = cluster;
    if (!placement) return done;
    const held = await heldHosts(context.deps.store, cluster);
    const leaving = new Set<string>(leavingOf(placement));
    const waits = [...excess(placement, goal(cluster))].filter(([, count]) => count > 0);
    if (waits.length > 0) {
      const leaves = (set: string) =>
        held.some(
          ({ set: name, host: { id, status } }) =>
            name === set && !leaving.has(id) && isReclaimed(status.agent),
        );
      // One has come back and is not marked yet: that is for a look.
      const again = waits.some(([set]) => leaves(set)) ? 0 : ownLook;
      const busy = waits.map(([set, count]) => `${count} of ${set}`).join(", ");
      return pending(`hosts to be reclaimed: ${busy}`, again);
    }
    // What is wrong with those that stay is told, and not waited for.
    const ports = site?.parts.attachments;
    if (ports?.state === "pending") return pending(ports.message, askAgain);
    return outOf(
      held.filter(({ host }) => leaving.has(host.id)).map(({ host }) => host),
      cluster,
    );
  };

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
  await release(context.deps, {
    ...clusterPlacing,
    id: cluster.id,
    operation: context.operation.id,
    hosts: (placement) => new Set(leavingOf(placement)),
  });
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
  await changeCluster(
    context,
    (cluster) =>
      cluster.placement?.leaving && { ...cluster, placement: withLeaving(cluster.placement, []) },
  );
  await attachHosts(context);
}

export const leavingReleased = (context: StepContext) => released(context, wantedNodeSets);

async function released(context: StepContext, goal: Goal): Promise<Outcome> {
  const cluster = await clusterOf(context);
  const count = cluster.placement ? leavingOf(cluster.placement).length : 0;
  if (count > 0) return pending(`gives ${count} hosts back`, 0);
  const pools = otherPools(cluster, goal(cluster));
  return pools.length === 0 ? done : pending(`node pools to be gone: ${pools.join(", ")}`, ownLook);
}
