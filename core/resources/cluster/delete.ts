import { timestamp } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import { rewritten } from "../../kernel/events/rewrite.ts";
import { load, optimistically, putChanged, putNew } from "../../kernel/object/records.ts";
import { type Caller, mustSee } from "../../kernel/request/caller.ts";
import { type Accepted, type Match, refuseStale } from "../../kernel/request/checks.ts";
import { newOperation } from "../../kernel/saga/new-operation.ts";
import { isEnded, type Operation } from "../../kernel/saga/operation.ts";
import type { Write } from "../../kernel/store/store.ts";
import { cancelledInQueue } from "./cancel.ts";
import type { Cluster } from "./model.ts";
import { clusterSagas } from "./sagas.ts";

/**
 * Accepts the deletion of a cluster. What runs on it is preempted, what was queued is dropped; the
 * deletion starts when the running operation has ended. Again is harmless. Throws NotFound,
 * PreconditionFailed.
 */
export function deleteCluster(
  deps: Deps,
  caller: Caller,
  id: string,
  match: Match = {},
): Promise<Accepted<"cluster">> {
  return optimistically(deps.store, async () => {
    const before = await mustSee(deps, caller, "cluster", id);
    refuseStale(before, match);
    const under = before.queued ?? before.operation;
    if (before.metadata.deletion_timestamp && under) {
      return { writes: [], result: { object: before, operation: under } };
    }
    const running = before.operation;
    const operation = newOperation(deps, {
      saga: clusterSagas.delete,
      change: "DELETE",
      target: before,
      creator: caller.user,
      queued: running !== undefined,
    });
    const deletion_timestamp = before.metadata.deletion_timestamp ?? timestamp(deps.clock.now());
    const { failure, ...rest } = before;
    const after: Cluster = {
      ...rest,
      // That a change failed is of no interest any more.
      ...(failure && !before.published ? { failure } : {}),
      metadata: { ...before.metadata, deletion_timestamp },
      ...(running === undefined ? { operation: operation.id } : { queued: operation.id }),
    };
    const object = rewritten(deps.kinds, before, after, deps.clock.now());
    const writes = [
      putChanged(deps.kinds, object),
      ...putNew(deps.kinds, operation),
      ...(await preempted(deps, caller, before)),
    ];
    return { writes, result: { object, operation: operation.id } };
  });
}

/** The cluster's operations as a deletion leaves them: the running one asked to stop, the queued one ended. */
async function preempted(deps: Deps, caller: Caller, cluster: Cluster): Promise<Write[]> {
  const now = deps.clock.now();
  const writes: Write[] = [];
  const running = cluster.operation && (await load(deps, "operation", cluster.operation));
  if (running && !isEnded(running)) {
    const by = running.cancel?.by ?? caller.user;
    const cancelled: Operation = {
      ...running,
      cancel: { at: timestamp(now), by, preempted: true },
    };
    writes.push(putChanged(deps.kinds, rewritten(deps.kinds, running, cancelled, now)));
  }
  const queued = cluster.queued && (await load(deps, "operation", cluster.queued));
  if (queued && !isEnded(queued)) {
    const cancel = { at: timestamp(now), by: caller.user, preempted: true };
    writes.push(
      putChanged(deps.kinds, rewritten(deps.kinds, queued, cancelledInQueue(queued, cancel), now)),
    );
  }
  return writes;
}
