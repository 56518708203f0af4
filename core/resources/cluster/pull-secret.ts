import type { Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { masked } from "../../kernel/object/wire.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";
import type { ClusterSpecInput } from "../cluster-template/order-input.ts";
import { namedPullSecret, pullSecretFault } from "../secret/pull-secret.ts";
import type { Cluster, ClusterSpec } from "./model.ts";

/** The message for a request with both. */
export const exclusive = "pull_secret and pull_secret_secret are mutually exclusive";

/** The source of a cluster's pull secret, and the text to store for it. */
export interface PullSecretChange {
  spec: Pick<ClusterSpec, "pull_secret" | "pull_secret_secret">;
  secret?: { reference: string; value: string };
}

/**
 * The pull secret after a change: a new text gets a new reference, so that the record changes too; otherwise a
 * secret object; or neither, which means the provider's.
 */
export async function changedPullSecret(
  deps: Pick<Deps, "kinds" | "store" | "secrets" | "newId">,
  { id, metadata, spec }: Cluster,
  { pull_secret: text, pull_secret_secret: named }: ClusterSpecInput,
  violations: Violation[],
): Promise<PullSecretChange> {
  const field = "spec.pull_secret";
  if (text && named !== undefined) violations.push({ field, message: exclusive });
  if (named !== undefined) {
    const secret = await namedPullSecret(deps, metadata, named, `${field}_secret`, violations);
    return { spec: secret ? { pull_secret_secret: secret } : {} };
  }
  if (!text) return { spec: {} };
  if (text === masked && spec.pull_secret !== undefined)
    return { spec: { pull_secret: spec.pull_secret } };
  const fault = pullSecretFault(text);
  if (fault) violations.push({ field, message: fault });
  const reference = `${secretReference.pullSecret(id)}/${deps.newId()}`;
  return { spec: { pull_secret: reference }, secret: { reference, value: text } };
}
