import { clusterPlacing, demandFor } from "../../../core/resources/cluster/demand.ts";
import { wantedNodeSets } from "../../../core/resources/cluster/model.ts";
import type { Capacity } from "../capacity/reserve.ts";
import { type NodeSetSelector, previousNodeSets } from "./deployment.ts";

const capacityFor = (select: NodeSetSelector): Capacity<"cluster"> => ({
  ...clusterPlacing,
  demandOf: (cluster) => demandFor(select(cluster))(cluster),
});

/** Capacity for the node sets that the cluster wants. */
export const wantedCapacity = capacityFor(wantedNodeSets);
/**
 * Capacity for the node sets that the cluster had before the operation, for an undo; the hosts may be
 * others.
 */
export const previousCapacity = capacityFor(previousNodeSets);
