import { timestamp } from "../clock.ts";
import type { Deps } from "../deps.ts";
import type { Names } from "../hub/hub.ts";
import { type Cluster, controlPlaneNamespaceOf, namespaceOf } from "../model/cluster.ts";
import { mustLoad } from "../store/records.ts";
import { changeObject } from "../store/rewrite.ts";
import { observe } from "./observe.ts";

/** The names of a cluster on its hub. */
export const namesOf = (cluster: Cluster): Names => ({
  cluster: cluster.id,
  hostedCluster: cluster.infra_id,
  namespace: namespaceOf(cluster),
  controlPlaneNamespace: controlPlaneNamespaceOf(cluster),
});

/**
 * Reads a cluster's objects from its hub and writes what it saw; what is not there (any more) is
 * written down as gone. Answers the cluster as it is then. Throws Unavailable.
 */
export async function refreshCluster(deps: Deps, id: string): Promise<Cluster> {
  const cluster = await mustLoad(deps.store, "cluster", id);
  if (!cluster.placement) return cluster;
  const { hub } = cluster.placement;
  const client = await deps.hubs.client(hub);
  const news = await client.read(namesOf(cluster));
  for (const item of news) await observe(deps, hub, item, true);

  const seen = new Set(news.map((item) => `${item.kind}/${item.object.metadata.name}`));
  return changeObject(deps, "cluster", id, (current) => {
    const { control_plane, node_pools } = current.observed;
    const pools = Object.fromEntries(
      Object.entries(node_pools).map(([set, pool]) => {
        const there = seen.has(`NodePool/${current.infra_id}-${set}`);
        return [set, there || pool.gone ? pool : { ...pool, gone: true }];
      }),
    );
    const there = seen.has(`HostedCluster/${current.infra_id}`);
    const plane =
      control_plane && !there && !control_plane.gone
        ? { ...control_plane, gone: true }
        : control_plane;
    return {
      ...current,
      observed: {
        ...current.observed,
        node_pools: pools,
        ...(plane ? { control_plane: plane } : {}),
      },
    };
  });
}

/** Asks the hosted cluster for its operators and writes the answer. Throws Unavailable. */
export async function refreshOperators(deps: Deps, id: string): Promise<void> {
  const cluster = await mustLoad(deps.store, "cluster", id);
  if (!cluster.placement) return;
  const client = await deps.hubs.client(cluster.placement.hub);
  const operators = await client.readOperators(namesOf(cluster));
  if (!operators) return;
  await changeObject(deps, "cluster", id, (current) => ({
    ...current,
    observed: { ...current.observed, operators: { ...operators, at: timestamp(deps.clock.now()) } },
  }));
}

/** Reads every agent of a hub and writes what it saw: the backstop behind its agent's watch. */
export async function refreshAgents(deps: Deps, hub: string): Promise<void> {
  const client = await deps.hubs.client(hub);
  for (const news of await client.readAll()) {
    if (news.kind === "Agent") await observe(deps, hub, news, true);
  }
}
