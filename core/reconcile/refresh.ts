import { timestamp } from "../clock.ts";
import type { Deps } from "../kernel/deps.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import { mustLoad } from "../kernel/object/records.ts";
import type { Placed } from "../kernel/object/traits.ts";
import { adjustPool } from "../placement/adjust.ts";
import { heldHosts } from "../placement/release.ts";
import type { News } from "../ports/hub/news.ts";
import { type Cluster, nodePoolName } from "../resources/cluster/model.ts";
import { macsOf } from "../resources/cluster/observed.ts";
import type { Host } from "../resources/host/model.ts";
import { ownerOf } from "../resources/site/owner.ts";
import { observe } from "./observe.ts";

/**
 * Reads a cluster's objects from its hub and writes what it saw; an absent object is recorded as
 * gone. Answers the cluster after that. Throws Unavailable.
 */
export async function refreshCluster(deps: Deps, id: string): Promise<Cluster> {
  const cluster = await mustLoad(deps, "cluster", id);
  if (!cluster.placement) return cluster;
  const { hub } = cluster.placement;
  const client = await deps.hubs.client(hub);
  const readAt = deps.clock.now();
  const news = await client.clusters.read(ownerOf(cluster));
  for (const item of news) await observe(deps, hub, item, readAt);
  const seen = seenIn(news);
  return changeObject(deps, "cluster", id, (current) => withoutMissing(current, seen, readAt));
}

/** The objects that a read has found: `kind/name` of each. */
export const seenIn = (news: News[]): ReadonlySet<string> =>
  new Set(news.map(({ kind, object }) => `${kind}/${object.metadata.name}`));

/** Known objects of a cluster that a read has not found, by node set; "" is the control plane. */
export function missing({ infra_id, observed }: Cluster, seen: ReadonlySet<string>): string[] {
  const { control_plane, node_pools } = observed;
  const pools = Object.entries(node_pools).flatMap(([set, { gone }]) =>
    gone || seen.has(`NodePool/${nodePoolName({ infra_id }, set)}`) ? [] : [set],
  );
  const plane = control_plane?.gone === false && !seen.has(`HostedCluster/${infra_id}`);
  return plane ? ["", ...pools] : pools;
}

/** The cluster with missing objects marked as gone, except those that appeared since the read. */
function withoutMissing(
  cluster: Cluster,
  seen: ReadonlySet<string>,
  readAt: number,
): Cluster | undefined {
  const { control_plane, node_pools, ...rest } = cluster.observed;
  const gone = missing(cluster, seen).filter((set) => {
    const known = set === "" ? control_plane : node_pools[set];
    return known !== undefined && Date.parse(known.at) <= readAt;
  });
  if (gone.length === 0) return undefined;
  const pools = Object.entries(node_pools).map(([set, pool]) => [
    set,
    gone.includes(set) ? { ...pool, gone: true } : pool,
  ]);
  const plane =
    control_plane && gone.includes("") ? { ...control_plane, gone: true } : control_plane;
  return {
    ...cluster,
    observed: {
      ...rest,
      node_pools: Object.fromEntries(pools),
      ...(plane ? { control_plane: plane } : {}),
    },
  };
}

/**
 * Reads the operators of the hosted cluster and writes them; answers the cluster after that. Throws
 * Unavailable.
 */
export async function refreshOperators(deps: Deps, id: string): Promise<Cluster> {
  const cluster = await mustLoad(deps, "cluster", id);
  if (!cluster.placement) return cluster;
  const client = await deps.hubs.client(cluster.placement.hub);
  const operators = await client.clusters.readOperators(ownerOf(cluster));
  if (!operators) return cluster;
  return changeObject(deps, "cluster", id, (current) => ({
    ...current,
    observed: { ...current.observed, operators: { ...operators, at: timestamp(deps.clock.now()) } },
  }));
}

/**
 * Reads the agents of the hosts that a target holds and writes what it saw, absence included. Throws
 * Unavailable.
 */
export async function refreshAgents(deps: Deps, target: Placed): Promise<void> {
  if (!target.placement) return;
  const { hub } = target.placement;
  const hosts = (await heldHosts(deps, target)).map(({ host }) => host);
  const macs = new Set(hosts.flatMap(({ spec }) => spec.nics.map(({ mac }) => mac)));
  const client = await deps.hubs.client(hub);
  const readAt = deps.clock.now();
  const news = await client.agents.readAll();
  for (const item of news) {
    if (macsOf(item).some((mac) => macs.has(mac))) await observe(deps, hub, item, readAt);
  }
  await noteMissingAgents(deps, hosts, seenIn(news));
}

/**
 * Records which of these hosts' agents a read has not found. `hosts` are from before the read; an
 * agent that was reported since is left alone. Answers the clusters that hold them.
 */
export async function noteMissingAgents(
  deps: Deps,
  hosts: Host[],
  seen: ReadonlySet<string>,
): Promise<string[]> {
  const holders = new Set<string>();
  for (const { id, status } of hosts) {
    const known = status.agent;
    if (!known || known.gone || seen.has(`Agent/${known.name}`)) continue;
    await changeObject(deps, "host", id, (current) => {
      const { agent } = current.status;
      if (agent?.name !== known.name || agent.resource_version !== known.resource_version)
        return undefined;
      return { ...current, status: { ...current.status, agent: { ...agent, gone: true } } };
    });
    const holder = await adjustPool(deps, id);
    if (holder !== undefined) holders.add(holder);
  }
  return [...holders];
}
