import { ownerOf } from "../../../core/at-site/owner.ts";
import { seconds } from "../../../core/clock.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { type Host, isReclaimed, mayLeave } from "../../../core/placement/pool/host.ts";
import {
  excess,
  leavingOf,
  letLeave,
  withLeaving,
} from "../../../core/placement/reserve/leaving.ts";
import { heldHosts, release } from "../../../core/placement/reserve/release.ts";
import { refreshObject } from "../../../core/reconcile/refresh.ts";
import { refreshAgents } from "../../../core/reconcile/refresh-agents.ts";
import { clusterPlacing } from "../../../core/resources/cluster/demand.ts";
import {
  type Cluster,
  nodePoolName,
  wantedNodeSets,
} from "../../../core/resources/cluster/model.ts";
import { isReplaced } from "../../../core/resources/cluster/replacing.ts";
import { detachHosts, ensureAttachments, outOf } from "../site/attachments.ts";
import { askAgain } from "../site/site.ts";
import { mustHaveHub, type NodeSetSelector, otherPools, previousNodeSets } from "./deployment.ts";

/**
 * Releases the hosts that a cluster holds beyond its node sets. Hosts that have left their node set are marked,
 * detached from the cluster's network, and then released. The hub's operators choose which hosts leave; the
 * mark makes both steps work on the same hosts.
 */

const ownLook = seconds(60);

/** Whether a host has left its node set. The agent of a replaced host may be gone for good. */
const hasLeft = (cluster: Cluster, host: Host): boolean =>
  isReplaced(cluster, host.id) ? mayLeave(host) : isReclaimed(host.status.agent);

/**
 * Marks the hosts that have left, removes Slipway's labels from their agents, so that no node pool uses them
 * again, and detaches them from the network. The transaction that writes the marks also decides on them, so
 * that a slow check does not revert a newer change.
 */
export const detachLeaving =
  (select: NodeSetSelector) => async (before: Cluster, context: StepContext<Cluster>) => {
    const { deps, operation } = context;
    if (!before.placement) return;
    await refreshAgents(deps, before);
    const held = await heldHosts(deps, before);
    const free = held.filter(({ host }) => hasLeft(before, host)).map(({ host }) => host.id);
    const cluster = await context.change((current) =>
      letLeave(current, select(current), new Set(free)),
    );
    if (!cluster.placement || cluster.operation !== operation.id) return;
    const leaving = leavingOf(cluster.placement);
    const labelled = held.flatMap(({ host: { id, status } }) =>
      status.agent?.labelled_for && leaving.some((host) => host === id) ? [status.agent.name] : [],
    );
    const hub = await mustHaveHub(cluster, context);
    for (const agent of labelled) await hub.agents.release(ownerOf(cluster), agent);
    await detachHosts(cluster, leaving, context);
  };

export const leavingDetached =
  (select: NodeSetSelector) =>
  async (cluster: Cluster, context: Context): Promise<Outcome> => {
    const { placement, site } = cluster;
    if (!placement) return done;
    const held = await heldHosts(context.deps, cluster);
    const leaving = new Set<string>(leavingOf(placement));
    const waits = [...excess(placement, select(cluster))].filter(([, count]) => count > 0);
    if (waits.length > 0) {
      const leaves = (set: string) =>
        held.some(
          ({ set: name, host }) => name === set && !leaving.has(host.id) && hasLeft(cluster, host),
        );
      // A host has left and is not marked yet, so check again at once.
      const again = waits.some(([set]) => leaves(set)) ? 0 : ownLook;
      const busy = waits.map(([set, count]) => `${count} of ${set}`).join(", ");
      return pending(`hosts to be reclaimed: ${busy}`, again);
    }
    // Problems of the remaining hosts are reported, but not waited for.
    const ports = site?.parts.attachments;
    if (ports?.state === "pending") return pending(ports.message, askAgain);
    return outOf(
      held.filter(({ host }) => leaving.has(host.id)).map(({ host }) => host),
      cluster,
    );
  };

/** Removes the node pools of removed node sets, which the hosts have left. */
export const removeEmptyPools = (cluster: Cluster, context: StepContext<Cluster>): Promise<void> =>
  removePools(cluster, wantedNodeSets, context);

async function removePools(
  cluster: Cluster,
  select: NodeSetSelector,
  context: StepContext<Cluster>,
): Promise<void> {
  const nodeSets = select(cluster);
  if (otherPools(cluster, nodeSets).length === 0) return;
  const hub = await mustHaveHub(cluster, context);
  const kept = Object.keys(nodeSets).map((name) => nodePoolName(cluster, name));
  await hub.clusters.removeNodePools(ownerOf(cluster), kept);
}

/** Reads the progress of the removal of node pools, and releases the marked hosts. */
async function lookAtLeaving(
  cluster: Cluster,
  select: NodeSetSelector,
  context: StepContext<Cluster>,
): Promise<void> {
  await removePools(cluster, select, context);
  if (otherPools(cluster, select(cluster)).length > 0)
    await refreshObject(context.deps, "cluster", cluster.id);
  await release(context.deps, {
    ...clusterPlacing,
    id: cluster.id,
    operation: context.operation.id,
    fence: context.fence(),
    hosts: (placement) => new Set(leavingOf(placement)),
  });
}

export const releaseLeaving = (cluster: Cluster, context: StepContext<Cluster>): Promise<void> =>
  lookAtLeaving(cluster, wantedNodeSets, context);

/** Undo: releases new hosts, some of which may never have been attached. */
export async function releaseNewcomers(
  before: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  await detachLeaving(previousNodeSets)(before, context);
  const cluster = await context.latest();
  const detached = await leavingDetached(previousNodeSets)(cluster, context);
  if (detached.done) await lookAtLeaving(cluster, previousNodeSets, context);
}

export async function newcomersReleased(cluster: Cluster, context: Context): Promise<Outcome> {
  const detached = await leavingDetached(previousNodeSets)(cluster, context);
  return detached.done ? released(cluster, previousNodeSets) : detached;
}

/** Undo: removes the marks, so that the leaving hosts stay. */
export async function keepLeaving(_: Cluster, context: StepContext<Cluster>): Promise<void> {
  const cluster = await context.change(
    ({ placement, ...rest }) =>
      placement?.leaving && { ...rest, placement: withLeaving(placement, []) },
  );
  await ensureAttachments(cluster, context);
}

export const leavingReleased = (cluster: Cluster): Outcome => released(cluster, wantedNodeSets);

function released(cluster: Cluster, select: NodeSetSelector): Outcome {
  const count = cluster.placement ? leavingOf(cluster.placement).length : 0;
  if (count > 0) return pending(`${count} hosts to be released`, 0);
  const pools = otherPools(cluster, select(cluster));
  return pools.length === 0 ? done : pending(`node pools to be gone: ${pools.join(", ")}`, ownLook);
}
