import { ownerOf } from "../../at-site/owner.ts";
import type { Absence, HubRead } from "../../ports/hub/absence.ts";
import { type Cluster, nodePoolName } from "./model.ts";

/**
 * The absence of a control plane or of node pools. They count as gone only if a second read of the cluster does
 * not find them either.
 */
export const absence: Absence<"cluster"> = {
  isMissing: (cluster, seen) => missing(cluster, seen).length > 0,
  marked: withoutMissing,
  read: (hub, cluster) => hub.clusters.read(ownerOf(cluster)),
};

/**
 * The known objects of a cluster that a read of the hub did not find: "" is the control plane, other names are
 * node sets.
 */
function missing({ infra_id, observed }: Cluster, seen: HubRead["seen"]): string[] {
  const { control_plane, node_pools } = observed;
  const pools = Object.entries(node_pools).flatMap(([set, { gone }]) =>
    gone || seen.has(`NodePool/${nodePoolName({ infra_id }, set)}`) ? [] : [set],
  );
  const plane = control_plane?.gone === false && !seen.has(`HostedCluster/${infra_id}`);
  return plane ? ["", ...pools] : pools;
}

function withoutMissing(cluster: Cluster, { seen, at }: HubRead): Cluster | undefined {
  const { control_plane, node_pools, ...rest } = cluster.observed;
  const gone = missing(cluster, seen).filter((set) => {
    const known = set === "" ? control_plane : node_pools[set];
    return known !== undefined && Date.parse(known.at) <= at;
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
