import { infraKey } from "../../kernel/object/keys.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import { exists } from "../../kernel/store/store.ts";
import { withLeaving } from "../../placement/leaving.ts";
import { releaseQuota } from "../quota/account.ts";
import { settled } from "./charge.ts";
import { diagnose } from "./diagnostics.ts";
import { endedCluster } from "./ended.ts";
import { wantedNodeSets } from "./model.ts";
import { queuesOf } from "./queues.ts";

/** What operations mean for a cluster. */
export const operated: Operating<"cluster"> = {
  /**
   * What it brings about is what the spec says by now. Nobody is on the way out yet; an operation that
   * was cut off may have left hosts that were.
   */
  started: (cluster, operation) => ({
    ...cluster,
    ...(cluster.placement && { placement: withLeaving(cluster.placement, []) }),
    operation,
    applying: cluster.spec.node_sets,
  }),
  ended: endedCluster,
  /**
   * Takes what it was changed to for a retry. One that is held has hosts and node pools already, so it
   * stays what it was ordered as.
   */
  unmade(cluster, before) {
    if (!cluster.placement) return cluster;
    const spec = { ...cluster.spec, node_sets: wantedNodeSets(before) };
    return { ...cluster, generation: cluster.generation + 1, spec };
  },
  unqueued: (cluster) => ({
    ...cluster,
    generation: cluster.generation + 1,
    spec: { ...cluster.spec, node_sets: wantedNodeSets(cluster) },
  }),
  /** What the operation took and the cluster does not need, its quotas have back. */
  settled(before, after) {
    const cluster = settled(after);
    return { target: cluster, writes: releaseQuota(before, cluster) };
  },
  archived: (cluster) => [
    ...releaseQuota(cluster, undefined),
    { delete: infraKey(cluster.infra_id), if: exists },
  ],
  queues: queuesOf,
  diagnose,
};
