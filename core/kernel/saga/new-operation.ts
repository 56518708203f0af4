import { timestamp } from "../../clock.ts";
import type { Deps } from "../../deps.ts";
import { asOperationId, type OperationId } from "../../id.ts";
import { withLeaving } from "../../placement/leaving.ts";
import type { Cluster } from "../../resources/cluster/model.ts";
import type { Change, Operation } from "./operation.ts";

/**
 * An operation on a cluster that has yet to be stored, in the transaction that accepts the change.
 * `queued`: it starts only when the cluster's running operation has ended.
 */
export function newOperation(
  deps: Pick<Deps, "clock" | "newId">,
  wish: { saga: string; change: Change; target: Cluster; creator: string; queued?: boolean },
): Operation {
  const id = asOperationId(deps.newId());
  const now = timestamp(deps.clock.now());
  const { metadata } = wish.target;
  return {
    kind: "operation",
    id,
    metadata: {
      name: id,
      tenant: metadata.tenant,
      ...(metadata.project === undefined ? {} : { project: metadata.project }),
      labels: {},
      annotations: {},
      creator: wish.creator,
      creation_timestamp: now,
    },
    generation: 0,
    revision: 1,
    spec: {
      saga: wish.saga,
      change: wish.change,
      target: { kind: "cluster", id: wish.target.id, name: metadata.name },
    },
    status: { state: "PENDING" },
    // The kernel fills in the saga's steps when it enters the first.
    steps: {},
    queued: wish.queued ?? false,
    unwinding: false,
    event: {
      type: "slipway.operation.created.v1",
      sequence: 1,
      time: now,
      changed: ["status.state"],
    },
  };
}

/**
 * The cluster with an operation that starts now: what it brings about is what the spec says by now.
 * Nobody is on the way out yet; an operation that was cut off may have left hosts that were.
 */
export const started = (cluster: Cluster, operation: OperationId): Cluster => ({
  ...cluster,
  ...(cluster.placement && { placement: withLeaving(cluster.placement, []) }),
  operation,
  applying: cluster.spec.node_sets,
});
