import { seconds } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import { refreshOperators } from "../../core/feedback/refresh.ts";
import type { Cluster } from "../../core/model/cluster.ts";
import { heldHosts } from "../../core/placement/release.ts";
import type { StepContext } from "../../core/saga/context.ts";
import { done, type Outcome, pending } from "../../core/saga/saga.ts";
import { awaited } from "../../core/status/operators.ts";
import { refresh } from "./deploy-control-plane.ts";
import { clusterOf, sizesOf } from "./deployment.ts";

/** Operators give no news to the hub: they are asked again this often. */
const askAgain = seconds(30);

export async function lookAtNodes(context: StepContext): Promise<void> {
  await refresh(context);
  const cluster = await clusterOf(context);
  if (missing(cluster, sizesOf(context.operation, cluster)).length === 0)
    await refreshOperators(context.deps, cluster.id);
}

/** Every node pool at its size and healthy; an agent whose installation failed fails the order. */
export async function nodesJoined(context: StepContext): Promise<Outcome> {
  const cluster = await clusterOf(context);
  return nodesAt(context, cluster, sizesOf(context.operation, cluster));
}

export async function nodesAt(
  context: StepContext,
  cluster: Cluster,
  sizes: Record<string, number>,
): Promise<Outcome> {
  const waiting = missing(cluster, sizes);
  if (waiting.length === 0) return done;
  const held = await heldHosts(context.deps.store, cluster);
  const broken = held.find(({ host }) => host.status.agent?.state === "error");
  if (broken) {
    throw new AppError(
      "Rejected",
      `host ${broken.host.metadata.name} failed to install: ${broken.host.status.agent?.message}`,
    );
  }
  const installing = held
    .map(({ host }) => host.status.agent?.state)
    .filter((state) => state !== "added-to-existing-cluster");
  const states = [...new Set(installing)].join(", ");
  return pending(`nodes: ${waiting.join("; ")}${states ? ` (hosts are ${states})` : ""}`);
}

/** As above, and the version rolled out, and the cluster's own operators available. */
export async function clusterComplete(context: StepContext): Promise<Outcome> {
  const nodes = await nodesJoined(context);
  if (!nodes.done) return nodes;
  const { observed } = await clusterOf(context);
  if (!observed.control_plane?.version_completed)
    return pending(
      `the version to be rolled out: ${observed.control_plane?.message ?? ""}`,
      askAgain,
    );
  if (!observed.operators) return pending("the cluster's operators to answer", askAgain);
  const unavailable = awaited(observed.operators.unavailable);
  if (unavailable.length > 0 || observed.operators.total === 0) {
    return pending(
      `cluster operators: ${unavailable.slice(0, 5).join("; ") || "none is there yet"}`,
      askAgain,
    );
  }
  return done;
}

/** Node sets that are not at their size and healthy, for people. */
function missing(cluster: Cluster, sizes: Record<string, number>): string[] {
  return Object.entries(sizes).flatMap(([name, size]) => {
    const pool = cluster.observed.node_pools[name];
    const have = pool?.gone ? 0 : (pool?.replicas ?? 0);
    const current = pool !== undefined && pool.desired === size;
    if (current && have === size && (size === 0 || pool.ready)) return [];
    return [`${name} has ${have} of ${size}${pool?.message ? `, ${pool.message}` : ""}`];
  });
}
