import { ownerOf } from "../../../core/at-site/owner.ts";
import { minutes, seconds } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import type { Release } from "../../../core/ports/hub/clusters/port.ts";
import { type Cluster, wantedNodeSets } from "../../../core/resources/cluster/model.ts";
import { isAt } from "../../../core/resources/cluster/upgrade.ts";
import { minorsBetween, releaseOf } from "../../../core/resources/cluster-version/release.ts";
import { refresh, refusedBy } from "./deploy-control-plane.ts";
import { mustHaveHub } from "./deployment.ts";

/**
 * Upgrades the control plane to another release. The upgrade can be withdrawn until its operator has begun; after
 * that it can only finish.
 */

/** Hubs report changes; this check is for lost reports. */
const ownLook = minutes(1);

export function upgradeOf({ upgrade }: Cluster): NonNullable<Cluster["upgrade"]> {
  if (!upgrade) throw new AppError("Internal", "the cluster has no upgrade");
  return upgrade;
}

/** Whether the upgrade may begin. Changes nothing. Throws Rejected when the cluster itself refuses it. */
export function mayBegin(cluster: Cluster): Outcome {
  const { from, to } = upgradeOf(cluster);
  const { control_plane: seen, node_pools } = cluster.observed;
  if (!seen || seen.gone) return pending("the hosted cluster to be seen", seconds(60));
  const isMinor = minorsBetween(from.release.version, to.version) !== 0;
  if (isMinor && seen.not_upgradeable !== undefined)
    throw new AppError(
      "Rejected",
      `it cannot go to another minor version: ${seen.not_upgradeable}`,
    );
  if (!seen.available) return pending(`the control plane to be available: ${seen.message}`);
  if (seen.rolling_to !== undefined && seen.rolling_to !== to.version)
    return pending(`the control plane to arrive at ${seen.rolling_to} first: ${seen.message}`);
  // Exempts node sets that already have the new release, because this upgrade may repair them.
  const ill = Object.keys(wantedNodeSets(cluster)).find(
    (name) => releaseOf(cluster, name).image !== to.image && !node_pools[name]?.ready,
  );
  return ill === undefined
    ? done
    : pending(`node set ${ill} to be well: ${node_pools[ill]?.message ?? ""}`);
}

export async function upgradeControlPlane(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const { to } = upgradeOf(cluster);
  const hub = await mustHaveHub(cluster, context);
  // Recorded before the effect, so that the undo finds it after a crash.
  await context.change((current) =>
    current.release.image === to.image ? undefined : requested(current, to),
  );
  await hub.clusters.setRelease(ownerOf(cluster), to.image);
}

/** The cluster with the control plane's new release; every node set is older from here on. */
function requested(cluster: Cluster, to: Release): Cluster {
  const sets = Object.keys(wantedNodeSets(cluster));
  const node_set_releases = Object.fromEntries(
    sets.map((name) => [name, releaseOf(cluster, name)]),
  );
  return { ...cluster, release: to, node_set_releases };
}

export function controlPlaneArrived(cluster: Cluster, context: Context): Outcome {
  const { to } = upgradeOf(cluster);
  const seen = cluster.observed.control_plane;
  if (!seen || seen.gone) return pending("the hosted cluster to be seen", seconds(60));
  const refused = refusedBy(seen, context);
  if (refused) return refused;
  if (isAt(seen, to)) return done;
  return pending(`the control plane to arrive at ${to.version}: ${wordsOf(seen)}`, ownLook);
}

const wordsOf = ({ message }: { message: string }): string => message || "about to begin";

/** Withdraws the upgrade if possible; otherwise only reads the control plane's progress. */
export async function withdrawUpgrade(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  if (!isRequested(cluster)) return;
  const { from, to } = upgradeOf(cluster);
  const hub = await mustHaveHub(cluster, context);
  const stays = await hub.clusters.withdrawRelease(ownerOf(cluster), from.release, to);
  if (!stays) return refresh(cluster, context);
  await context.change((current) =>
    isRequested(current) ? withdrawn(current, from.release) : undefined,
  );
}

/** Whether the upgrade was requested: the hub's release is not the previous one. */
const isRequested = (cluster: Cluster): boolean => {
  const { from, to } = upgradeOf(cluster);
  return cluster.release.image === to.image && from.release.image !== to.image;
};

function withdrawn(cluster: Cluster, release: Release): Cluster {
  const { node_set_releases = {}, ...rest } = cluster;
  const behind = Object.entries(node_set_releases).filter(
    ([, { image }]) => image !== release.image,
  );
  return {
    ...rest,
    release,
    ...(behind.length > 0 && { node_set_releases: Object.fromEntries(behind) }),
  };
}

/**
 * Done when the control plane has kept its release or has the new one, because no other state is final. Throws
 * Rejected at the deadline: operator action is required then.
 */
export function withdrawnOrArrived(cluster: Cluster, { operation }: Context): Outcome {
  if (!isRequested(cluster)) return done;
  const { to } = upgradeOf(cluster);
  const seen = cluster.observed.control_plane;
  if (!seen || seen.gone || isAt(seen, to)) return done;
  const { failure, cancel } = operation;
  if (!cancel && failure?.kind === "DeadlineExceeded")
    throw new AppError(
      "Rejected",
      `the control plane has begun to go to ${to.version} and cannot go back; fix what blocks it, then resume this operation: ${wordsOf(seen)}`,
    );
  const way = `which has begun and cannot go back, to arrive at ${to.version}`;
  return pending(`the control plane, ${way}: ${wordsOf(seen)}`, ownLook);
}
