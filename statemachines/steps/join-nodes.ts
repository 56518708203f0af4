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

/** The state of an agent whose host is a node. */
const joined = "added-to-existing-cluster";

export async function lookAtNodes(context: StepContext): Promise<void> {
  await refresh(context);
  const cluster = await clusterOf(context);
  const behind = unfinished(cluster, sizesOf(context.operation, cluster));
  if (behind.length === 0) await refreshOperators(context.deps, cluster.id);
}

/** Every node pool at its size and healthy; an agent whose installation failed fails the order. */
export async function nodesJoined(context: StepContext): Promise<Outcome> {
  const cluster = await clusterOf(context);
  const held = await heldHosts(context.deps.store, cluster);
  const broken = held.find(({ host }) => host.status.agent?.state === "error")?.host;
  if (broken) {
    const { name } = broken.metadata;
    throw new AppError(
      "Rejected",
      `host ${name} failed to install: ${broken.status.agent?.message}`,
    );
  }
  return nodesAt(context, cluster, sizesOf(context.operation, cluster));
}

/** Every node pool at this size and healthy. */
export async function nodesAt(
  context: StepContext,
  cluster: Cluster,
  sizes: Record<string, number>,
): Promise<Outcome> {
  const behind = unfinished(cluster, sizes);
  if (behind.length === 0) return done;
  const sets = behind.map(({ name, have, size }) => `${name} ${have} of ${size}`).join(", ");
  const held = await heldHosts(context.deps.store, cluster);
  const states = new Set(held.map(({ host }) => host.status.agent?.state ?? "unknown"));
  states.delete(joined);
  const hosts = states.size > 0 ? `hosts are ${[...states].join(", ")}` : "";
  const why = hosts || behind.find(({ message }) => message)?.message;
  return pending(`nodes: ${sets}${why ? ` (${why})` : ""}`);
}

/** As above, and the version rolled out, and the cluster's own operators available. */
export async function clusterComplete(context: StepContext): Promise<Outcome> {
  const nodes = await nodesJoined(context);
  if (!nodes.done) return nodes;
  const { control_plane, operators } = (await clusterOf(context)).observed;
  if (!control_plane?.version_completed) return pending("the version to be rolled out", askAgain);
  if (!operators) return pending("the cluster's operators to answer", askAgain);
  const unavailable = awaited(operators.unavailable);
  if (unavailable.length === 0 && operators.total > 0) return done;
  const first = unavailable[0] ?? "none is there yet";
  return pending(`${unavailable.length} cluster operators (${first})`, askAgain);
}

/** Node sets that are not at their size and healthy. */
function unfinished(cluster: Cluster, sizes: Record<string, number>) {
  return Object.entries(sizes).flatMap(([name, size]) => {
    const pool = cluster.observed.node_pools[name];
    const have = pool?.gone ? 0 : (pool?.replicas ?? 0);
    const current = pool !== undefined && pool.desired === size;
    if (current && have === size && (size === 0 || pool.ready)) return [];
    return [{ name, have, size, message: pool?.message }];
  });
}
