import { hours, minutes } from "../core/clock.ts";
import type { Cluster } from "../core/model/cluster.ts";
import type { ClusterSaga } from "../core/saga/end.ts";
import { step } from "../core/saga/saga.ts";
import { settledAt } from "./cluster-create.ts";
import { refresh } from "./steps/deploy-control-plane.ts";
import { nodesJoined } from "./steps/join-nodes.ts";
import { capacityReserved, leaveQueues, reserveCapacity } from "./steps/reserve-capacity.ts";
import {
  leavingReleased,
  newcomersReleased,
  nodePoolsRestored,
  releaseLeaving,
  releaseNewcomers,
  resizeNodePools,
  restoreNodePools,
} from "./steps/resize-node-pools.ts";

/** Node sets change their size: hosts first, pools next, and those that left are given back (reference/hub.md §6). */
export const clusterScale: ClusterSaga = {
  name: "cluster-scale",
  comment: "Node sets get another size, or go back to the one they had",
  nodes: [
    step(
      "ReserveHosts",
      { act: reserveCapacity, look: reserveCapacity, until: capacityReserved, deadline: hours(24) },
      { act: leaveQueues, look: releaseNewcomers, until: newcomersReleased, deadline: hours(24) },
    ),
    step(
      "ResizeNodePools",
      {
        act: resizeNodePools,
        look: refresh,
        until: nodesJoined,
        deadline: minutes(60),
        usually: minutes(10),
      },
      { act: restoreNodePools, look: refresh, until: nodePoolsRestored, deadline: hours(24) },
    ),
    step(
      "ReleaseHosts",
      { look: releaseLeaving, until: leavingReleased, deadline: hours(24) },
      { none: "hosts that left are taken again when the pools grow back" },
    ),
  ],
  ended: {
    succeeded: settledAt,
    failed: backToFormer,
  },
};

/** At its old size, unless a newer wish is queued: then the spec is that one's. */
function backToFormer(cluster: Cluster): Cluster {
  if (cluster.queued !== undefined) return cluster;
  const node_sets = Object.fromEntries(
    Object.entries(cluster.spec.node_sets).map(([name, set]) => [
      name,
      { ...set, size: cluster.applied?.[name] ?? set.size },
    ]),
  );
  return { ...cluster, generation: cluster.generation + 1, spec: { ...cluster.spec, node_sets } };
}
