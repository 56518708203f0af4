import { minutes, seconds } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import { changeObject } from "../../core/kernel/object/rewrite.ts";
import type { StepContext } from "../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../core/kernel/saga/saga.ts";
import { heldHosts } from "../../core/placement/release.ts";
import { namesOf } from "../../core/ports/hub/clusters/names.ts";
import { refreshCluster } from "../../core/reconcile/refresh.ts";
import { type ObservedControlPlane, wantedNodeSets } from "../../core/resources/cluster/model.ts";
import { clusterOf, deploymentOf, hubOf, mustHaveHub } from "./deployment.ts";

/** Input that the operator refuses for this long is refused for good (docs/reference/hub.md §5). */
const patience = minutes(5);

/** Namespace to node pools, in the order of docs/reference/hub.md §2. */
export async function deployControlPlane(context: StepContext): Promise<void> {
  const cluster = await clusterOf(context);
  const hub = await mustHaveHub(context, cluster);
  const deployment = await deploymentOf(context.deps, cluster, wantedNodeSets(cluster));
  await context.guard();
  await hub.ensureControlPlane(deployment);
  await context.guard();
  await hub.ensureNodePools(deployment);
}

export async function refresh(context: StepContext): Promise<void> {
  await refreshCluster(context.deps, context.operation.spec.target.id);
}

/** Available, with its endpoint; what the operator refuses for five minutes fails the order. */
export async function controlPlaneAvailable(context: StepContext): Promise<Outcome> {
  const cluster = await clusterOf(context);
  const seen = cluster.observed.control_plane;
  if (!seen || seen.gone) return pending("the hosted cluster to be seen", seconds(60));
  const refused = refusedBy(context, seen);
  if (refused) return refused;
  if (!seen.available || !seen.endpoint) return pending(`the control plane: ${seen.message}`);
  return done;
}

/** What the operator has against it. Throws Rejected when it has had that for five minutes. */
export function refusedBy(
  { deps }: StepContext,
  { refusal, refused_since, at }: ObservedControlPlane,
): Outcome | undefined {
  if (refusal === undefined) return undefined;
  const since = deps.clock.now() - Date.parse(refused_since ?? at);
  if (since >= patience) throw new AppError("Rejected", refusal);
  return pending(`the control plane; the hub objects: ${refusal}`, patience - since);
}

/** The operator takes the rest away (node pools, machines, the control plane's namespace); it takes time. */
export async function removeControlPlane(context: StepContext): Promise<void> {
  const cluster = await clusterOf(context);
  const hub = await hubOf(context, cluster);
  await hub?.removeHostedCluster(namesOf(cluster));
}

/** Once the hosted cluster is gone: what is left beside it, our labels, and what was observed of it. */
export async function clearHub(context: StepContext): Promise<void> {
  const { deps } = context;
  const cluster = await refreshCluster(deps, context.operation.spec.target.id);
  const hub = await hubOf(context, cluster);
  if (!hub || !isGone(cluster.observed)) return;
  await hub.removeNamespace(namesOf(cluster));
  for (const { host } of await heldHosts(deps.store, cluster)) {
    if (host.status.agent) await hub.releaseAgent(namesOf(cluster), host.status.agent.name);
  }
  await changeObject(deps, "cluster", cluster.id, (current) => ({
    ...current,
    observed: { node_pools: {} },
  }));
}

type Seen = Awaited<ReturnType<typeof clusterOf>>["observed"];

const isGone = ({ control_plane }: Seen): boolean => control_plane?.gone !== false;

export async function controlPlaneGone(context: StepContext): Promise<Outcome> {
  const { observed, placement } = await clusterOf(context);
  const nothing =
    observed.control_plane === undefined && Object.keys(observed.node_pools).length === 0;
  if (nothing || !placement) return done;
  if (isGone(observed)) return pending("the namespace to be removed", 0);
  return pending(`the hosted cluster to be gone: ${observed.control_plane?.message}`);
}
