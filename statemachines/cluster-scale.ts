import { hours, minutes } from "../core/clock.ts";
import type { Cluster } from "../core/model/cluster.ts";
import type { ClusterSaga } from "../core/saga/end.ts";
import { step } from "../core/saga/saga.ts";
import { settledAt } from "./cluster-create.ts";
import { attachHosts, hostsAttached, lookAtAttachments } from "./steps/attach-hosts.ts";
import { refresh } from "./steps/deploy-control-plane.ts";
import { former, wanted } from "./steps/deployment.ts";
import { nodesJoined } from "./steps/join-nodes.ts";
import {
  detachLeaving,
  keepLeaving,
  leavingDetached,
  leavingReleased,
  newcomersReleased,
  releaseLeaving,
  releaseNewcomers,
} from "./steps/release-hosts.ts";
import {
  capacityReserved,
  formerReserved,
  leaveQueues,
  reserveCapacity,
  reserveFormer,
} from "./steps/reserve-capacity.ts";
import { nodePoolsRestored, resizeNodePools, restoreNodePools } from "./steps/resize-node-pools.ts";

/**
 * Node sets change their size: hosts first, on the cluster's network before a pool grows and off it
 * once they have left, and those that left are given back (reference/hub.md §6).
 */
export const clusterScale: ClusterSaga = {
  name: "cluster-scale",
  comment: "Node sets get another size, or go back to the one they had",
  nodes: [
    step(
      "ReserveHosts",
      {
        system: "placement",
        act: reserveCapacity,
        look: reserveCapacity,
        until: capacityReserved,
        deadline: hours(24),
      },
      {
        system: "hub",
        act: leaveQueues,
        look: releaseNewcomers,
        until: newcomersReleased,
        deadline: hours(24),
      },
    ),
    step(
      "AttachHosts",
      {
        system: "fabric",
        act: attachHosts,
        look: lookAtAttachments,
        until: hostsAttached,
        deadline: minutes(30),
        usually: minutes(1),
      },
      {
        system: "fabric",
        look: detachLeaving(former),
        until: leavingDetached(former),
        deadline: hours(24),
      },
    ),
    step(
      "ResizeNodePools",
      {
        system: "hub",
        act: resizeNodePools,
        look: refresh,
        until: nodesJoined,
        deadline: minutes(60),
        usually: minutes(10),
      },
      {
        system: "hub",
        act: restoreNodePools,
        look: refresh,
        until: nodePoolsRestored,
        deadline: hours(24),
      },
    ),
    step(
      "DetachHosts",
      {
        system: "fabric",
        look: detachLeaving(wanted),
        until: leavingDetached(wanted),
        deadline: hours(24),
      },
      {
        system: "fabric",
        act: keepLeaving,
        look: lookAtAttachments,
        until: hostsAttached,
        deadline: hours(24),
      },
    ),
    step(
      "ReleaseHosts",
      { system: "hub", look: releaseLeaving, until: leavingReleased, deadline: hours(24) },
      {
        system: "placement",
        act: reserveFormer,
        look: reserveFormer,
        until: formerReserved,
        deadline: hours(24),
      },
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
