import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { rewritten } from "../../kernel/events/rewrite.ts";
import { mustLoad, optimistically, putChanged } from "../../kernel/object/records.ts";
import { useWrites } from "../../kernel/object/uses.ts";
import { type Caller, mustSee } from "../../kernel/request/caller.ts";
import type { Accepted } from "../../kernel/request/checks.ts";
import { cancelMessage } from "../../kernel/saga/context.ts";
import { isEnded, type Operation } from "../../kernel/saga/operation.ts";
import { giveBack } from "../quota/account.ts";
import { settled } from "./charge.ts";
import { type Cluster, wantedNodeSets } from "./model.ts";

/**
 * Asks an operation to stop: a running one unwinds, a queued one ends at once and the cluster's
 * node sets go back to what they were without it. Throws NotFound, FailedPrecondition.
 */
export function cancelOperation(
  deps: Deps,
  caller: Caller,
  id: string,
): Promise<Accepted<"operation">> {
  return optimistically(deps.store, async () => {
    const before = await mustSee(deps, caller, "operation", id);
    refuseUncancellable(before);
    const now = deps.clock.now();
    if (before.queued) {
      const cluster = await mustLoad(deps, "cluster", before.spec.target.id);
      const after = rewritten(deps.kinds, cluster, settled(withoutQueued(cluster)), now);
      const cancel = { at: timestamp(now), by: caller.user, preempted: false };
      const object = rewritten(deps.kinds, before, cancelledInQueue(before, cancel), now);
      const writes = [
        putChanged(deps.kinds, object),
        putChanged(deps.kinds, after),
        ...useWrites(deps.kinds, cluster, after),
        ...giveBack(cluster, after),
      ];
      return { writes, result: { object } };
    }
    if (before.cancel) return { writes: [], result: { object: before } };
    const cancel = { at: timestamp(now), by: caller.user, preempted: false };
    const object = rewritten(deps.kinds, before, { ...before, cancel }, now);
    return { writes: [putChanged(deps.kinds, object)], result: { object } };
  });
}

/** A queued operation that never starts. */
export function cancelledInQueue(
  operation: Operation,
  cancel: NonNullable<Operation["cancel"]>,
): Operation {
  const failure = {
    step: "",
    kind: "Cancelled",
    message: cancelMessage(cancel),
    given_back: true,
  };
  return {
    ...operation,
    queued: false,
    cancel,
    status: { ...operation.status, state: "CANCELLED", end_time: cancel.at, failure },
  };
}

function refuseUncancellable(operation: Operation): void {
  const { state } = operation.status;
  const why = isEnded(operation)
    ? `it has ended: ${state}`
    : operation.spec.change === "DELETE"
      ? "a deletion cannot be cancelled"
      : state === "STUCK"
        ? "it is undoing its steps and needs to be resumed"
        : undefined;
  if (why)
    throw new AppError("FailedPrecondition", `cannot cancel operation '${operation.id}': ${why}`);
}

/** The node sets go back to what the running operation brings about. */
function withoutQueued(cluster: Cluster): Cluster {
  const { queued: _, ...rest } = cluster;
  const node_sets = wantedNodeSets(cluster);
  return { ...rest, generation: cluster.generation + 1, spec: { ...cluster.spec, node_sets } };
}
