import { hours, minutes } from "../core/clock.ts";
import type { Cluster } from "../core/model/cluster.ts";
import type { ClusterSaga } from "../core/saga/end.ts";
import { step } from "../core/saga/saga.ts";
import {
  clearHub,
  controlPlaneAvailable,
  controlPlaneGone,
  deployControlPlane,
  refresh,
  removeControlPlane,
} from "./steps/deploy-control-plane.ts";
import { clusterComplete, lookAtNodes } from "./steps/join-nodes.ts";
import { publishCluster, unpublishCluster } from "./steps/publish-cluster.ts";
import {
  capacityReleased,
  capacityReserved,
  leaveQueues,
  releaseCapacity,
  reserveCapacity,
} from "./steps/reserve-capacity.ts";

/** An order becomes a cluster: a hub and hosts, a control plane, nodes, READY. */
export const clusterCreate: ClusterSaga = {
  name: "cluster-create",
  comment: "An ordered cluster becomes READY, or everything it took is given back",
  nodes: [
    step(
      "ReserveCapacity",
      { act: reserveCapacity, look: reserveCapacity, until: capacityReserved, deadline: hours(24) },
      { act: leaveQueues, look: releaseCapacity, until: capacityReleased, deadline: hours(24) },
    ),
    step(
      "DeployControlPlane",
      {
        act: deployControlPlane,
        look: refresh,
        until: controlPlaneAvailable,
        deadline: minutes(30),
        usually: minutes(7),
      },
      {
        act: removeControlPlane,
        look: clearHub,
        until: controlPlaneGone,
        deadline: hours(24),
        usually: minutes(5),
      },
    ),
    step(
      "JoinNodes",
      { look: lookAtNodes, until: clusterComplete, deadline: minutes(60), usually: minutes(14) },
      { none: "it only waits; the nodes go with their control plane" },
    ),
    step(
      "PublishCluster",
      { act: publishCluster, deadline: minutes(15) },
      { act: unpublishCluster, deadline: minutes(15) },
    ),
  ],
  ended: {
    succeeded: settledAt,
    failed: (cluster, failure) => ({ ...cluster, published: false, failure }),
  },
};

/** The cluster is as its spec says; a failure of before is history. */
export function settledAt(cluster: Cluster): Cluster {
  const { failure: _, ...healthy } = cluster;
  return { ...healthy, applied: observedSizes(cluster) };
}

const observedSizes = (cluster: Cluster): Record<string, number> =>
  Object.fromEntries(
    Object.entries(cluster.placement?.hosts ?? {}).map(([name, hosts]) => [name, hosts.length]),
  );
