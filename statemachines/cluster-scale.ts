import { hours, minutes } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { wantedNodeSets } from "../core/resources/cluster/model.ts";
import { capacityReserved, leaveQueues, reserveCapacity } from "./steps/capacity/reserve.ts";
import { previousCapacity, wantedCapacity } from "./steps/cluster/capacity.ts";
import { refresh } from "./steps/cluster/deploy-control-plane.ts";
import { previousNodeSets } from "./steps/cluster/deployment.ts";
import { nodesJoined } from "./steps/cluster/join-nodes.ts";
import {
  detachLeaving,
  keepLeaving,
  leavingDetached,
  leavingReleased,
  newcomersReleased,
  releaseLeaving,
  releaseNewcomers,
  removeEmptyPools,
} from "./steps/cluster/release-hosts.ts";
import {
  letReplacedLeave,
  nodePoolsRestored,
  resizeNodePools,
  restoreNodePools,
} from "./steps/cluster/resize-node-pools.ts";
import { attachHosts } from "./steps/site/attachments.ts";
import { systems } from "./steps/systems.ts";

/**
 * Adds, removes and resizes node sets, and replaces hosts: a node set has both the old and the new host until the
 * new one is a node. New hosts join the cluster's network before a node pool grows; leaving hosts are detached from
 * it after they have left, and are then released. A node pool that is no longer desired is removed once it is
 * empty, before its hosts are released (docs/reference/hub.md §6).
 */
export const clusterScale = saga<"cluster">("cluster-scale", {
  comment: "Node sets are added, resized and removed, or restored to their previous sizes",
  nodes: [
    step(
      "ReserveHosts",
      {
        system: systems.placement,
        act: reserveCapacity(wantedCapacity),
        look: reserveCapacity(wantedCapacity),
        looksLater: true,
        until: capacityReserved(wantedCapacity),
        deadline: hours(24),
      },
      {
        system: systems.hub,
        act: leaveQueues(wantedCapacity),
        look: releaseNewcomers,
        until: newcomersReleased,
        deadline: hours(24),
      },
    ),
    step("AttachHosts", attachHosts, {
      system: systems.fabric,
      look: detachLeaving(previousNodeSets),
      until: leavingDetached(previousNodeSets),
      deadline: hours(24),
    }),
    step(
      "ResizeNodePools",
      {
        system: systems.hub,
        act: resizeNodePools,
        look: refresh,
        until: nodesJoined,
        deadline: minutes(60),
        usually: minutes(10),
      },
      {
        system: systems.hub,
        act: restoreNodePools,
        look: refresh,
        until: nodePoolsRestored,
        deadline: hours(24),
      },
    ),
    step(
      "DetachHosts",
      {
        system: systems.fabric,
        act: letReplacedLeave,
        look: detachLeaving(wantedNodeSets),
        until: leavingDetached(wantedNodeSets),
        deadline: hours(24),
      },
      { ...attachHosts, act: keepLeaving, deadline: hours(24) },
    ),
    step(
      "ReleaseHosts",
      {
        system: systems.hub,
        act: removeEmptyPools,
        look: releaseLeaving,
        until: leavingReleased,
        deadline: hours(24),
      },
      {
        system: systems.placement,
        act: reserveCapacity(previousCapacity),
        look: reserveCapacity(previousCapacity),
        looksLater: true,
        until: capacityReserved(previousCapacity),
        deadline: hours(24),
      },
    ),
  ],
});
