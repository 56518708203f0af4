import { timestamp } from "../../clock.ts";
import { asOperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import type { Target } from "./operated.ts";
import type { Operation, OperationChange } from "./operation.ts";

/**
 * An operation on a target, to be stored in the transaction that accepts the change. `queued`: it starts
 * only when the target's running operation has ended.
 */
export function newOperation(
  deps: Pick<Deps, "clock" | "newId">,
  request: {
    saga: string;
    change: OperationChange;
    target: Target;
    creator: string;
    queued?: boolean;
  },
): Operation {
  const id = asOperationId(deps.newId());
  const now = timestamp(deps.clock.now());
  const { metadata } = request.target;
  return {
    kind: "operation",
    id,
    metadata: {
      name: id,
      tenant: metadata.tenant,
      ...(metadata.project === undefined ? {} : { project: metadata.project }),
      labels: {},
      annotations: {},
      creator: request.creator,
      creation_timestamp: now,
    },
    generation: 0,
    revision: 1,
    spec: {
      saga: request.saga,
      change: request.change,
      target: { kind: request.target.kind, id: request.target.id, name: metadata.name },
    },
    status: { state: "PENDING" },
    // The kernel lists the saga's steps when it enters the first.
    steps: {},
    queued: request.queued ?? false,
    unwinding: false,
    event: {
      type: "slipway.operation.created.v1",
      sequence: 1,
      time: now,
      changed: ["status.state"],
    },
  };
}
