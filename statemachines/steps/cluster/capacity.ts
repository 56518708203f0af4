import { clusterPlacing, demandFor } from "../../../core/resources/cluster/demand.ts";
import { wantedNodeSets } from "../../../core/resources/cluster/model.ts";
import type { Capacity } from "../capacity/reserve.ts";
import { type NodeSetSelector, previousNodeSets } from "./deployment.ts";

const capacityFor = (select: NodeSetSelector): Capacity<"cluster"> => ({
  ...clusterPlacing,
  demandOf: (cluster) => demandFor(select(cluster))(cluster),
});

/** The hosts of the node sets that a cluster is to have. */
export const wantedCapacity = capacityFor(wantedNodeSets);
/** The hosts that it had before an operation, for an undo; they may be others. */
export const previousCapacity = capacityFor(previousNodeSets);
