import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import { putNew } from "../../kernel/object/records.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { newOperation } from "../../kernel/saga/new-operation.ts";
import type { Write } from "../../kernel/store/store.ts";
import type { Cluster } from "./model.ts";
import { operated } from "./operated.ts";
import { clusterSagas } from "./sagas.ts";
import { type Field, momentOf, ruleOf } from "./update-rules.ts";

/** A change of a cluster that was accepted. */
interface AcceptedChange {
  cluster: Cluster;
  operation?: OperationId;
  writes: Write[];
}

/**
 * The cluster with the operation that the field needs: a new one, or the one that waits in the queue. Throws
 * FailedPrecondition and Invalid where the table of `update-rules.ts` refuses the change.
 */
export function withOperation(
  deps: Deps,
  caller: Caller,
  cluster: Cluster,
  field: Field,
): AcceptedChange {
  const rule = ruleOf(field, momentOf(cluster));
  if (rule.is === "written") return { cluster, writes: [] };
  if (rule.is === "refused") throw notNow(cluster, field, rule.why);
  if (cluster.queued) return { cluster, operation: cluster.queued, writes: [] };
  const queued = rule.is === "queued";
  const operation = newOperation(deps, {
    saga: clusterSagas[rule.saga],
    change: "UPDATE",
    target: cluster,
    creator: caller.user,
    queued,
  });
  return {
    // A queued operation reads the spec when it starts: the spec may change until then.
    cluster: queued
      ? { ...cluster, queued: operation.id }
      : operated.started(cluster, operation.id),
    operation: operation.id,
    writes: putNew(deps.kinds, operation),
  };
}

function notNow({ status, operation }: Cluster, field: Field, why: string): AppError {
  if (why === "busy") {
    const message = `field '${field}' cannot be changed while operation '${operation}' runs`;
    return new AppError("FailedPrecondition", message);
  }
  // Invalid instead of FailedPrecondition: OSAC's clients know this code.
  const message = `cannot update cluster spec when cluster state is ${status.state}`;
  return new AppError("Invalid", message, { violations: [{ field: "spec", message }] });
}
