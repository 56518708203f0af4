import { AppError, type Violation } from "../../error.ts";
import { claimQuota } from "../../kernel/claim/quota.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import { refuseViolations } from "../../kernel/input/parse.ts";
import { putNew } from "../../kernel/object/records.ts";
import type { Acceptance } from "../../kernel/request/action.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { refuseTooMuch } from "../../kernel/request/checks.ts";
import { startOperation } from "../../kernel/saga/start-operation.ts";
import { oncePerCounter } from "../../kernel/store/once-per-counter.ts";
import { charged, fieldOfDimension } from "./charge.ts";
import { createOperation } from "./create.ts";
import { orderAutomatic } from "./external-ips.ts";
import type { Cluster } from "./model.ts";
import { operated } from "./operated.ts";
import { outsidePools, whereOf } from "./outside-pools.ts";
import { renewalWrites } from "./renew.ts";
import { clusterSagas } from "./sagas.ts";
import { momentOf } from "./update-rules.ts";
import { isUnfinished } from "./upgrade.ts";

/**
 * Orders a FAILED cluster again, by its present spec, or continues an upgrade that stopped before every
 * part had the new version, or renews a certificate that was not renewed in time. Throws FailedPrecondition, QuotaExceeded.
 */
export async function retryWrites(
  deps: Deps,
  caller: Caller,
  before: Cluster,
): Promise<Acceptance<"cluster">> {
  if (momentOf(before) === "ready" && isUnfinished(before)) return goOn(deps, caller, before);
  if (momentOf(before) === "ready" && before.ingress_certificate?.unrenewed)
    return renewalWrites(deps, before, caller.user);
  const { state } = before.status;
  if (state !== "CLUSTER_STATE_FAILED" || before.metadata.deletion_timestamp || before.operation) {
    throw new AppError("FailedPrecondition", `cannot retry a cluster when its state is ${state}`);
  }
  const operation = createOperation(deps, caller, before);
  const { failure: _, ...rest } = before;
  const outside = await outsideAgain(deps, before);
  const whole = { ...rest, ...(outside && { automatic_ips: outside.ips }) };
  const after = charged(operated.started(whole, operation.id));
  const { object, writes: own } = written(deps, before, after);
  const writes = oncePerCounter([
    ...own,
    ...putNew(deps.kinds, operation),
    ...(await claimQuota(deps, before, object, fieldOfDimension)),
    ...(outside?.writes ?? []),
  ]);
  refuseTooMuch(writes);
  return { writes, result: { object, operation: operation.id } };
}

/** The external IPs of a cluster that is to have some, and gave them back when it failed. */
async function outsideAgain(deps: Deps, cluster: Cluster) {
  const { spec, automatic_ips: has, metadata, stands_in, site } = cluster;
  if (!spec.auto_external_ip_attachment || has) return undefined;
  const violations: Violation[] = [];
  // One that was cut off may still be where it was.
  const where = whereOf(metadata.tenant, spec, stands_in?.site ?? site?.id);
  const pools = await outsidePools(deps, where, violations);
  refuseViolations(violations);
  return orderAutomatic(deps, cluster, pools);
}

/** Continues an upgrade to the release that the control plane already has, or is going to. */
function goOn(deps: Deps, caller: Caller, before: Cluster) {
  const { failure: _, ...rest } = before;
  const { spec, release } = before;
  const upgrade = { from: { version: spec.version, release }, to: release };
  const start = { saga: clusterSagas.upgrade, creator: caller.user };
  return startOperation(deps, before, start, (operation) =>
    operated.started({ ...rest, upgrade }, operation),
  );
}
