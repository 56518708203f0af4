import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../deps.ts";
import { AppError, type Violation } from "../error.ts";
import type { OperationId } from "../id.ts";
import { parseLeniently, refuseViolations } from "../input/parse.ts";
import type { JsonObject } from "../input/shape.ts";
import type { Cluster } from "../model/cluster.ts";
import { charged } from "../model/quota.ts";
import { take } from "../quota/account.ts";
import { newOperation, started } from "../saga/new-operation.ts";
import { optimistically, putChanged, putNew } from "../store/records.ts";
import { rewritten } from "../store/rewrite.ts";
import type { Write } from "../store/store.ts";
import { useWrites } from "../store/uses.ts";
import { view } from "../view/view.ts";
import { type Accepted, refuseStale, refuseTooLarge, type UpdateOptions } from "./accepted.ts";
import { type Caller, mustSee } from "./caller.ts";
import { refuseUnoffered } from "./catalog-item.ts";
import { changedMetadata, changedNodeSets } from "./cluster-change.ts";
import { clusterInputSchema } from "./cluster-input.ts";
import { References } from "./references.ts";
import { clusterSagas } from "./sagas.ts";

/**
 * Accepts a change of a cluster. `merge` makes the wanted object of the current one, both as the
 * wire has them. Metadata is written at once; node sets need an operation, which is queued behind a
 * running one and then holds the newest wish. A change of nothing writes nothing. Throws NotFound,
 * Invalid, Conflict, PreconditionFailed, QuotaExceeded.
 */
export function updateCluster(
  deps: Deps,
  caller: Caller,
  id: string,
  merge: (current: JsonObject) => JsonObject,
  options: UpdateOptions = {},
): Promise<Accepted<"cluster">> {
  return optimistically(deps.store, async () => {
    const before = await mustSee(deps.store, caller, "cluster", id);
    refuseStale(before, options);
    const { metadata, node_sets } = await wanted(
      deps,
      before,
      merge(view(before, { profile: "slipway", private: false })),
    );
    const resized = !isDeepStrictEqual(node_sets, before.spec.node_sets);
    if (!resized && isDeepStrictEqual(metadata, before.metadata)) {
      return { writes: [], result: { object: before } };
    }
    const changed = { ...before, metadata, generation: before.generation + 1 };
    const accepted: Change = resized
      ? withResize(
          deps,
          caller,
          charged({ ...changed, spec: { ...before.spec, node_sets } }),
          before,
        )
      : { cluster: changed, writes: [] };
    const object: Cluster = rewritten(before, accepted.cluster, deps.clock.now());
    refuseTooLarge(object);
    const { operation } = accepted;
    return {
      writes: [
        putChanged(object),
        ...useWrites(before, object),
        ...accepted.writes,
        ...(await take(deps, before, object)),
      ],
      result: { object, ...(operation ? { operation } : {}) },
    };
  });
}

interface Change {
  cluster: Cluster;
  operation?: OperationId;
  writes: Write[];
}

async function wanted({ store }: Deps, before: Cluster, merged: JsonObject) {
  const { value, violations } = parseLeniently(clusterInputSchema, merged);
  if (!value) refuseViolations(violations);
  if (!value) throw new AppError("Internal", "a change was refused without saying why");
  // What the schema refused was taken away; that is not also a change.
  const more: Violation[] = [];
  const metadata = changedMetadata(before.metadata, value.metadata, more);
  const check = new References(store, before.metadata.tenant, more);
  const node_sets = await changedNodeSets(check, before, value.spec);
  await refuseUnoffered(store, before, node_sets, more);
  const refused = (field: string) =>
    violations.some((each) => each.field === field || each.field.startsWith(`${field}.`));
  refuseViolations([...violations, ...more.filter(({ field }) => !refused(field))]);
  return { metadata, node_sets };
}

/** The cluster with the operation that changes its node sets: a new one, or the one that waits in the queue. */
function withResize(deps: Deps, caller: Caller, cluster: Cluster, before: Cluster): Change {
  const { state } = before.status;
  const open = state === "CLUSTER_STATE_PROGRESSING" || state === "CLUSTER_STATE_READY";
  if (!open || before.metadata.deletion_timestamp) {
    // Invalid, where the state might let one expect FailedPrecondition: OSAC's clients know this code.
    const message = `cannot update cluster spec when cluster state is ${state}`;
    throw new AppError("Invalid", message, { violations: [{ field: "spec", message }] });
  }
  if (before.queued) return { cluster, operation: before.queued, writes: [] };
  const queued = before.operation !== undefined;
  const operation = newOperation(deps, {
    saga: clusterSagas.scale,
    change: "UPDATE",
    target: cluster,
    creator: caller.user,
    queued,
  });
  return {
    // A queued one reads the spec when it starts: it may change until then.
    cluster: queued ? { ...cluster, queued: operation.id } : started(cluster, operation.id),
    operation: operation.id,
    writes: putNew(operation),
  };
}
