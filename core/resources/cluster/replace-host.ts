import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import type { Write } from "../../kernel/store/store.ts";
import type { Cluster } from "./model.ts";
import { orders } from "./orders.ts";
import { isDeparting, keeping } from "./replacing.ts";
import { momentOf, ruleOf } from "./update-rules.ts";

/**
 * The writes by which a cluster replaces one of its hosts, and the operation that does it: the successor of the
 * running one, or one that starts now. The node sets keep their sizes; the change is queued like a change of
 * sizes. A cluster under deletion replaces nothing, since all its hosts leave. Throws FailedPrecondition for a
 * cluster whose create never succeeded.
 */
export function replaceWrites(
  deps: Deps,
  caller: Caller,
  cluster: Cluster,
  host: Reference,
): { writes: Write[]; operation?: OperationId } {
  const moment = momentOf(cluster);
  if (moment === "deleting") return { writes: [] };
  if (ruleOf("spec.node_sets", moment).is === "refused")
    throw new AppError(
      "FailedPrecondition",
      `host '${host.id}' cannot be replaced while the state of its cluster '${cluster.id}' is ${cluster.status.state}: retry the cluster or delete it first`,
    );
  const departing = [...(cluster.departing ?? []), host];
  const accepted = orders.changed(deps, caller, cluster, { ...cluster, departing });
  return {
    writes: [...written(deps, cluster, accepted.object).writes, ...accepted.writes],
    ...(accepted.operation !== undefined && { operation: accepted.operation }),
  };
}

/** The writes that cancel the replacement of a host. */
export const keepWrites = (deps: Deps, cluster: Cluster, host: string): Write[] =>
  isDeparting(cluster, host) ? written(deps, cluster, keeping(cluster, host)).writes : [];
