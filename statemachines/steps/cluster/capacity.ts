import { clusterPlacing, demandFor } from "../../../core/resources/cluster/demand.ts";
import type { Capacity } from "../capacity/reserve.ts";
import { type NodeSetSelector, nodeSetsInReplacement, previousNodeSets } from "./deployment.ts";

const capacityFor = (select: NodeSetSelector): Capacity<"cluster"> => ({
  ...clusterPlacing,
  demandOf: (cluster) => demandFor(select(cluster))(cluster),
});

/** Capacity for the node sets that the cluster wants, and for those that replace others in them. */
export const wantedCapacity = capacityFor(nodeSetsInReplacement);
/**
 * Capacity for the node sets that the cluster had before the operation, for an undo; the hosts may be
 * others.
 */
export const previousCapacity = capacityFor(previousNodeSets);
