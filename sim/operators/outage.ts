import type { KubeObject } from "../kubernetes/cluster.ts";

/**
 * What this annotation says `true` of is down until it says so no more: on a Node of a hosted
 * cluster its machine has no power, on a HostedCluster its etcd has lost its quorum, on a
 * ClusterVersion its operator does not get on with a new release.
 */
const downAnnotation = "sim.slipway.dev/down";

export const isDown = ({ metadata }: Pick<KubeObject, "metadata">): boolean =>
  metadata.annotations?.[downAnnotation] === "true";
