import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../error.ts";
import { ordersBy } from "../../kernel/saga/orders.ts";
import type { Cluster } from "./model.ts";
import { operated } from "./operated.ts";
import { again } from "./retry.ts";
import { clusterSagas } from "./sagas.ts";
import { type Field, momentOf, ruleOf } from "./update-rules.ts";

/** The sagas that carry out orders for clusters. */
export const orders = ordersBy({
  kind: "cluster",
  create: clusterSagas.create,
  holds: ({ on_failure }) => on_failure === "hold",
  update: sagaOfChange,
  started: operated.started,
  again,
  retry: {
    description:
      "Orders a failed cluster again, continues an upgrade that stopped, or renews the certificate of an ingress that was not renewed in time.",
    refusal: ({ status }) => `cannot retry a cluster when its state is ${status.state}`,
  },
  delete: clusterSagas.delete,
  // A new operation clears the failure of a change, not that of a create.
  condemned: ({ failure, ...rest }) => ({
    ...rest,
    ...(failure && !rest.published && { failure }),
  }),
});

/**
 * The saga of a change, by the table of `update-rules.ts`; undefined if the change is only a write. Throws
 * FailedPrecondition or Invalid if the table refuses it.
 */
function sagaOfChange(before: Cluster, after: Cluster): string | undefined {
  const field = changedField(before, after);
  const rule = field && ruleOf(field, momentOf(before));
  if (!rule || rule.is === "written") return undefined;
  if (rule.is === "refused") throw notNow(before, field, rule.why);
  return clusterSagas[rule.saga];
}

/** The field of a change that needs an operation; undefined if there is none. */
function changedField(before: Cluster, after: Cluster): Field | undefined {
  const differ = (...of: ((cluster: Cluster) => unknown)[]) =>
    of.some((each) => !isDeepStrictEqual(each(before), each(after)));
  if (differ(({ upgrade }) => upgrade)) return "spec.version";
  if (differ(({ spec }) => spec.network_attachment))
    return "spec.network_attachment.security_groups";
  // A host is replaced under the rule for a change of its node set's size.
  if (
    differ(
      ({ spec }) => spec.node_sets,
      ({ departing }) => departing,
    )
  )
    return "spec.node_sets";
  const isOther = differ(
    ({ spec }) => spec.pull_secret,
    ({ spec }) => spec.pull_secret_secret,
  );
  return isOther ? "spec.pull_secret" : undefined;
}

function notNow({ status, operation }: Cluster, field: Field, why: string): AppError {
  if (why === "busy") {
    const message = `field '${field}' cannot be changed while operation '${operation}' runs`;
    return new AppError("FailedPrecondition", message);
  }
  // Invalid instead of FailedPrecondition, because OSAC's clients expect this code.
  const message = `cannot update cluster spec when cluster state is ${status.state}`;
  return new AppError("Invalid", message, { violations: [{ field: "spec", message }] });
}
