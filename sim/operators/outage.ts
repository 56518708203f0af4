import type { KubeObject } from "../kubernetes/cluster.ts";

/**
 * What this annotation says `true` of is down until it says so no more: on a Node of a hosted
 * cluster its machine has no power, on a HostedCluster its etcd has lost its quorum, on a
 * ClusterVersion its operator does not get on with a new release.
 */
const downAnnotation = "sim.slipway.dev/down";

const fixedAnnotation = "sim.slipway.dev/not-upgradeable";

/** Why a ClusterVersion says that its cluster is not to go to another minor version. */
export const notUpgradeable = ({ metadata }: Pick<KubeObject, "metadata">): string | undefined =>
  metadata.annotations?.[fixedAnnotation];

export const isDown = ({ metadata }: Pick<KubeObject, "metadata">): boolean =>
  metadata.annotations?.[downAnnotation] === "true";
