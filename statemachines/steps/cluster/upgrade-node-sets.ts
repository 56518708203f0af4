import { ownerOf } from "../../../core/at-site/owner.ts";
import { minutes } from "../../../core/clock.ts";
import type { Context, StepContext, StepDeps } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { refreshObject } from "../../../core/reconcile/refresh.ts";
import {
  type Cluster,
  nodePoolName,
  wantedNodeSets,
} from "../../../core/resources/cluster/model.ts";
import { releaseOf } from "../../../core/resources/cluster-version/release.ts";
import { refresh } from "./deploy-control-plane.ts";
import { mustHaveHub } from "./deployment.ts";
import { upgradeOf } from "./upgrade-control-plane.ts";

/**
 * Upgrades one node set after the other to the control plane's release, and the nodes of each one by one. A
 * requested upgrade of a node set cannot be stopped, so a cancel waits for its end.
 */

/** Hubs report changes; this check is for lost reports. */
const ownLook = minutes(1);

/** The node sets in the order of their upgrades. */
const setsOf = (cluster: Cluster): string[] => Object.keys(wantedNodeSets(cluster)).sort();

const isRequested = (cluster: Cluster, set: string): boolean =>
  releaseOf(cluster, set).image === upgradeOf(cluster).to.image;

function hasArrived(cluster: Cluster, set: string): boolean {
  const pool = cluster.observed.node_pools[set];
  if (!pool || pool.gone || !isRequested(cluster, set)) return false;
  const { version } = upgradeOf(cluster).to;
  return pool.ready && pool.version_completed && pool.version === version;
}

/**
 * Requests the upgrade of the first node set that is behind. Repeats the request, in case an earlier attempt was
 * interrupted.
 */
export async function upgradeNodeSets(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const set = setsOf(cluster).find((name) => !hasArrived(cluster, name));
  if (set === undefined) return;
  // Not written after a cancel, because the undo finishes every upgrade that is recorded as requested.
  await context.guard();
  await context.change((current) =>
    isRequested(current, set) ? undefined : requested(current, set),
  );
  await setRelease(cluster, set, context);
}

function requested(cluster: Cluster, set: string): Cluster {
  const { node_set_releases = {}, ...rest } = cluster;
  const { [set]: _, ...behind } = node_set_releases;
  return Object.keys(behind).length > 0 ? { ...rest, node_set_releases: behind } : rest;
}

async function setRelease(
  cluster: Cluster,
  set: string,
  context: Context<StepDeps>,
): Promise<void> {
  const hub = await mustHaveHub(cluster, context);
  const { image } = upgradeOf(cluster).to;
  await hub.clusters.setNodePoolRelease(ownerOf(cluster), nodePoolName(cluster, set), image);
}

export async function lookAtNodeSets(
  { id }: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  await upgradeNodeSets(await refreshObject(context.deps, "cluster", id), context);
}

export function nodeSetsArrived(cluster: Cluster): Outcome {
  const [set, ...after] = setsOf(cluster).filter((name) => !hasArrived(cluster, name));
  if (set === undefined) return done;
  if (!isRequested(cluster, set)) return pending(`node set ${set} to begin its upgrade`, 0);
  return waitFor(cluster, set, after);
}

/** Finishes the node sets whose upgrade was requested; the others keep their release. */
export async function finishNodeSets(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  for (const set of underWay(cluster)) await setRelease(cluster, set, context);
  await refresh(cluster, context);
}

export function requestedNodeSetsArrived(cluster: Cluster, { operation }: Context): Outcome {
  // After a missed deadline the step stops waiting: the nodes may need a change of the cluster, which can begin
  // only after this operation.
  const { failure, cancel } = operation;
  if (!cancel && failure?.kind === "DeadlineExceeded") return done;
  const [set, ...after] = underWay(cluster);
  return set === undefined ? done : waitFor(cluster, set, after);
}

const underWay = (cluster: Cluster): string[] =>
  setsOf(cluster).filter((name) => isRequested(cluster, name) && !hasArrived(cluster, name));

function waitFor(cluster: Cluster, set: string, after: string[]): Outcome {
  const { version } = upgradeOf(cluster).to;
  const rest = after.length > 0 ? `, and after it ${after.join(", ")}` : "";
  const said = cluster.observed.node_pools[set]?.message || "about to begin";
  return pending(`node set ${set} to arrive at ${version}${rest}: ${said}`, ownLook);
}
