import { timestamp } from "../../clock.ts";
import type { Deps } from "../../deps.ts";
import { dropTicket } from "../../placement/tickets.ts";
import { giveBack } from "../../quota/account.ts";
import { type Cluster, type Failure, wantedNodeSets } from "../../resources/cluster/model.ts";
import { queuesOf } from "../../resources/cluster/queues.ts";
import { settled } from "../../resources/quota/model.ts";
import { withLastEvent } from "../events/outbox.ts";
import { infraKey } from "../object/keys.ts";
import { archive, load, mustLoad, putChanged } from "../object/records.ts";
import { rewritten } from "../object/rewrite.ts";
import { useWrites } from "../object/uses.ts";
import { exists, type Write } from "../store/store.ts";
import type { Action } from "./action.ts";
import { started } from "./new-operation.ts";
import type { Operation } from "./operation.ts";
import { type ActionShape, type Saga, stepsOf, undoName } from "./saga.ts";

export type ClusterSaga = Saga<Action<Cluster>, Cluster>;
export type ClusterShape = Saga<ActionShape, Cluster>;

/**
 * The writes that end an operation: its state, what that means for its target, its places in the
 * queues, and the start of the operation that was queued behind it, all in one transaction.
 */
export async function endWrites(
  deps: Deps,
  saga: ClusterShape,
  before: Operation,
  operation: Operation,
  failure?: Failure,
): Promise<Write[]> {
  const now = deps.clock.now();
  const told = failure && { ...failure, given_back: isGivenBack(saga, operation) };
  const ended: Operation = {
    ...operation,
    status: {
      ...operation.status,
      state: told ? (operation.cancel ? "CANCELLED" : "FAILED") : "SUCCEEDED",
      end_time: timestamp(now),
      ...(told ? { failure: told } : {}),
    },
  };
  const writes: Write[] = [putChanged(rewritten(before, ended, now))];

  const cluster = await load(deps.store, "cluster", operation.spec.target.id);
  // However it ended, it waits for nothing any more.
  if (cluster) writes.push(...queuesOf(cluster).map((name) => dropTicket(name, operation)));
  // An operation that is not the target's own (any more) says nothing of it.
  if (!cluster || cluster.operation !== operation.id) return writes;
  const outcome = told
    ? saga.ended.failed(cluster, told, operation.cancel !== undefined)
    : saga.ended.succeeded(cluster);
  if (outcome === "archive") {
    writes.push(...archive(withLastEvent(cluster, now), now), ...giveBack(cluster, undefined), {
      delete: infraKey(cluster.infra_id),
      if: exists,
    });
    return writes;
  }

  const { operation: _, applying: __, queued, ...free } = outcome;
  if (queued === undefined) {
    writes.push(...changed(cluster, free, now));
    return writes;
  }
  const next = await mustLoad(deps.store, "operation", queued);
  const isMoot = operation.spec.change === "CREATE" && next.spec.change === "UPDATE";
  const [after, follower] =
    failure && isMoot
      ? [unmade(free, cluster), withoutCluster(next, failure, now)]
      : [started(free, queued), { ...next, queued: false }];
  writes.push(...changed(cluster, after, now), putChanged(rewritten(next, follower, now)));
  return writes;
}

/** Whether the undo was done of every step that had begun: not of what is held, cut off, or left to a deletion. */
function isGivenBack(
  { nodes, irreversible }: ClusterShape,
  { steps }: Pick<Operation, "steps">,
): boolean {
  if (irreversible) return false;
  return stepsOf(nodes).every(({ name, undo }) => {
    const begun = (steps[name]?.attempts ?? 0) > 0;
    return !undo || !begun || steps[undoName(name)]?.state === "SUCCEEDED";
  });
}

/** What the operation took and the cluster does not need, its quotas have back. */
function changed(before: Cluster, after: Cluster, now: number): Write[] {
  const done = settled(after);
  return [
    putChanged(rewritten(before, done, now)),
    ...useWrites(before, done),
    ...giveBack(before, done),
  ];
}

/**
 * A cluster that was not made takes what it was changed to for a retry. One that is held has hosts
 * and node pools already, so it stays what it was ordered as.
 */
function unmade(cluster: Cluster, before: Cluster): Cluster {
  if (!cluster.placement) return cluster;
  const spec = { ...cluster.spec, node_sets: wantedNodeSets(before) };
  return { ...cluster, generation: cluster.generation + 1, spec };
}

/** A change of a cluster that was never made. What it wished for stays in the spec, for a retry. */
function withoutCluster(operation: Operation, { step }: Failure, now: number): Operation {
  return {
    ...operation,
    queued: false,
    status: {
      ...operation.status,
      state: "CANCELLED",
      end_time: timestamp(now),
      failure: {
        step,
        kind: "Cancelled",
        message: "the cluster was not created",
        given_back: true,
      },
    },
  };
}
