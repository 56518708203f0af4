import { releaseQuota } from "../../kernel/claim/quota.ts";
import { infraKey } from "../../kernel/object/keys.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import { exists } from "../../kernel/store/store.ts";
import { withLeaving } from "../../placement/reserve/leaving.ts";
import { settled } from "./charge.ts";
import { diagnose } from "./diagnostics.ts";
import { endedCluster } from "./ended.ts";
import { unrenewedWrites } from "./ingress-certificate.ts";
import { wantedNodeSets } from "./model.ts";
import { clusterQueues } from "./queues.ts";
import { startReplacing, withoutDeparting } from "./replacing.ts";

/** The changes of a cluster at the start and the end of its operation. */
export const operated: Operating<"cluster"> = {
  /**
   * The operation works on the present spec, and removes no host yet: marks of an interrupted operation are
   * cleared.
   */
  started: (cluster, operation) => ({
    ...startReplacing(cluster),
    ...(cluster.placement && { placement: withLeaving(cluster.placement, []) }),
    operation,
    applying: cluster.spec.node_sets,
  }),
  ended: endedCluster,
  /**
   * The cluster keeps the changed values for a retry. A cluster on hold already has hosts and node pools, so it
   * keeps the node sets of its order.
   */
  unmade(made, before) {
    const cluster = withoutDeparting(made);
    if (!cluster.placement) return cluster;
    const spec = { ...cluster.spec, node_sets: wantedNodeSets(before) };
    return { ...cluster, generation: cluster.generation + 1, spec };
  },
  unqueued: (cluster) => ({
    ...withoutDeparting(cluster),
    generation: cluster.generation + 1,
    spec: { ...cluster.spec, node_sets: wantedNodeSets(cluster) },
  }),
  /**
   * Releases the quota that the cluster does not need after the operation, and lists a certificate that ends
   * soon.
   */
  settled(before, after) {
    const cluster = settled(after);
    const writes = [...releaseQuota(before, cluster), ...unrenewedWrites(before, cluster)];
    return { target: cluster, writes };
  },
  archived: (cluster) => [
    ...releaseQuota(cluster, undefined),
    ...unrenewedWrites(cluster, undefined),
    { delete: infraKey(cluster.infra_id), if: exists },
  ],
  placeOf({ placement, site }, zone) {
    if (zone === "site" && site) return { kind: "site", id: site.id };
    return placement && { kind: "hub", id: placement.hub };
  },
  queues: clusterQueues,
  diagnose,
};
