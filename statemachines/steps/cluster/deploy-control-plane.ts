import { isDeepStrictEqual } from "node:util";
import { ownerOf } from "../../../core/at-site/owner.ts";
import { minutes, seconds } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Context, StepContext, StepDeps } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { heldHosts } from "../../../core/placement/reserve/release.ts";
import { refreshObject } from "../../../core/reconcile/refresh.ts";
import {
  type Cluster,
  type Observed,
  type ObservedControlPlane,
  wantedNodeSets,
} from "../../../core/resources/cluster/model.ts";
import { deploymentOf, hubOf, mustHaveHub } from "./deployment.ts";

/** A refusal by the operator counts as final after this time (docs/reference/hub.md §5). */
const patience = minutes(5);

/**
 * Applies the hub objects, from the namespace to the node pools, in the order of docs/reference/hub.md
 * §2.
 */
export async function deployControlPlane(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const hub = await mustHaveHub(cluster, context);
  const deployment = await deploymentOf(context.deps, cluster, wantedNodeSets(cluster));
  await hub.clusters.ensureControlPlane(deployment);
  await hub.clusters.ensureNodePools(deployment);
}

export async function refresh({ id }: Cluster, { deps }: Context<StepDeps>): Promise<void> {
  await refreshObject(deps, "cluster", id);
}

/**
 * Waits until the control plane is available and has an endpoint. A refusal by the operator that lasts
 * five minutes fails the order.
 */
export function controlPlaneAvailable(cluster: Cluster, context: Context): Outcome {
  const seen = cluster.observed.control_plane;
  if (!seen || seen.gone) return pending("the hosted cluster to be seen", seconds(60));
  const refused = refusedBy(seen, context);
  if (refused) return refused;
  if (!seen.available || !seen.endpoint) return pending(`the control plane: ${seen.message}`);
  return done;
}

/**
 * The message of a step while a refusal may still disappear. Throws Rejected when the refusal has
 * lasted five minutes.
 */
export function refusedBy(
  { refusal, refused_since, at }: ObservedControlPlane,
  { deps }: Context,
): Outcome | undefined {
  if (refusal === undefined) return undefined;
  const since = deps.clock.now() - Date.parse(refused_since ?? at);
  if (since >= patience) throw new AppError("Rejected", refusal);
  return pending(`the control plane; the hub objects: ${refusal}`, patience - since);
}

/**
 * Removes the hosted cluster. Its operator then removes the node pools, the machines and the control plane's
 * namespace, which takes time.
 */
export async function removeControlPlane(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const hub = await hubOf(cluster, context);
  await hub?.clusters.removeHostedCluster(ownerOf(cluster));
}

/**
 * Runs once the hosted cluster is gone: removes Slipway's other objects, its labels, and the observations of
 * the cluster.
 */
export async function clearHub({ id }: Cluster, context: StepContext<Cluster>): Promise<void> {
  const cluster = await refreshObject(context.deps, "cluster", id);
  const hub = await hubOf(cluster, context);
  if (!hub || !isGone(cluster.observed)) return;
  await hub.clusters.removeNamespace(ownerOf(cluster));
  for (const { host } of await heldHosts(context.deps, cluster)) {
    if (host.status.agent) await hub.agents.release(ownerOf(cluster), host.status.agent.name);
  }
  // Newer reports are kept, and the next check interprets them.
  await context.change((current) =>
    isDeepStrictEqual(current.observed, cluster.observed)
      ? { ...current, observed: { node_pools: {} } }
      : undefined,
  );
}

const isGone = ({ control_plane }: Observed): boolean => control_plane?.gone !== false;

export function controlPlaneGone({ observed, placement }: Cluster): Outcome {
  const nothing =
    observed.control_plane === undefined && Object.keys(observed.node_pools).length === 0;
  if (nothing || !placement) return done;
  if (isGone(observed)) return pending("the namespace to be removed", 0);
  return pending(`the hosted cluster to be gone: ${observed.control_plane?.message}`);
}
