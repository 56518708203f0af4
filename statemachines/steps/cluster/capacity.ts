import { clusterPlacing, demandFor } from "../../../core/resources/cluster/demand.ts";
import type { Capacity } from "../capacity/reserve.ts";
import { type NodeSetSelector, nodeSetsInReplacement, previousNodeSets } from "./deployment.ts";

const capacityFor = (select: NodeSetSelector): Capacity<"cluster"> => ({
  ...clusterPlacing,
  demandOf: (cluster) => demandFor(select(cluster))(cluster),
});

/** Capacity for the desired node sets, and for the hosts that replace others in them. */
export const wantedCapacity = capacityFor(nodeSetsInReplacement);
/** Capacity for the node sets before the operation, for an undo; the hosts may be different ones. */
export const previousCapacity = capacityFor(previousNodeSets);
