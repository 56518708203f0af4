import type { KubeObject } from "../kubernetes/cluster.ts";

/**
 * An annotation that simulates an outage while its value is `true`: a Node of a hosted cluster has no power, the etcd
 * of a HostedCluster has no quorum, the operator of a ClusterVersion makes no progress with a new release.
 */
const downAnnotation = "sim.slipway.dev/down";

const fixedAnnotation = "sim.slipway.dev/not-upgradeable";

/** Why a ClusterVersion reports that its cluster must not be upgraded to another minor version. */
export const notUpgradeable = ({ metadata }: Pick<KubeObject, "metadata">): string | undefined =>
  metadata.annotations?.[fixedAnnotation];

/** The annotations of an object with an outage, or without. */
export function withOutage(
  annotations: Record<string, string> | undefined,
  isDown: boolean,
): Record<string, string> {
  const { [downAnnotation]: _, ...others } = annotations ?? {};
  return isDown ? { ...others, [downAnnotation]: "true" } : others;
}

export const isDown = ({ metadata }: Pick<KubeObject, "metadata">): boolean =>
  metadata.annotations?.[downAnnotation] === "true";
