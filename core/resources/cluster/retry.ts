import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { rewritten } from "../../kernel/events/rewrite.ts";
import { putChanged, putNew } from "../../kernel/object/records.ts";
import { type Caller, mustSee } from "../../kernel/request/caller.ts";
import { type Accepted, type Match, refuseStale } from "../../kernel/request/checks.ts";
import { newOperation } from "../../kernel/saga/new-operation.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { claimQuota } from "../quota/account.ts";
import { charged, fieldOfDimension } from "./charge.ts";
import { createOperation } from "./create.ts";
import type { Cluster } from "./model.ts";
import { operated } from "./operated.ts";
import { clusterSagas } from "./sagas.ts";
import { momentOf } from "./update-rules.ts";
import { isUnfinished } from "./upgrade.ts";

/**
 * Orders a FAILED cluster again, by its present spec, or continues an upgrade that stopped before every
 * part had the new version. Throws NotFound, PreconditionFailed, FailedPrecondition, QuotaExceeded.
 */
export function retryCluster(
  deps: Deps,
  caller: Caller,
  id: string,
  match: Match = {},
): Promise<Accepted<"cluster">> {
  return optimistically(deps.store, async () => {
    const before = await mustSee(deps, caller, "cluster", id);
    refuseStale(before, match);
    if (momentOf(before) === "ready" && isUnfinished(before)) return goOn(deps, caller, before);
    const { state } = before.status;
    if (
      state !== "CLUSTER_STATE_FAILED" ||
      before.metadata.deletion_timestamp ||
      before.operation
    ) {
      throw new AppError("FailedPrecondition", `cannot retry a cluster when its state is ${state}`);
    }
    const operation = createOperation(deps, caller, before);
    const { failure: _, ...rest } = before;
    const after = charged(operated.started(rest, operation.id));
    const object = rewritten(deps.kinds, before, after, deps.clock.now());
    const quota = await claimQuota(deps, before, object, fieldOfDimension);
    const writes = [putChanged(deps.kinds, object), ...putNew(deps.kinds, operation), ...quota];
    return { writes, result: { object, operation: operation.id } };
  });
}

/** Continues an upgrade to the release that the control plane already has, or is going to. */
function goOn(deps: Deps, caller: Caller, before: Cluster) {
  const operation = newOperation(deps, {
    saga: clusterSagas.upgrade,
    change: "UPDATE",
    target: before,
    creator: caller.user,
  });
  const { failure: _, ...rest } = before;
  const { spec, release } = before;
  const upgrade = { from: { version: spec.version, release }, to: release };
  const after = operated.started({ ...rest, upgrade }, operation.id);
  const object = rewritten(deps.kinds, before, after, deps.clock.now());
  const writes = [putChanged(deps.kinds, object), ...putNew(deps.kinds, operation)];
  return { writes, result: { object, operation: operation.id } };
}
