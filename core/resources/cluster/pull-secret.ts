import type { Violation } from "../../error.ts";
import type { ClusterId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { ReferenceInput } from "../../kernel/input/reference.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import { masked } from "../../kernel/object/wire.ts";
import { onceEach } from "../../kernel/request/begun.ts";
import type { Place } from "../../kernel/request/resolve.ts";
import type { Secret } from "../../kernel/request/secrets-of-request.ts";
import type { SecretDeps } from "../../ports/secrets/secrets.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";
import type { ClusterInput, ClusterSpecInput } from "../cluster-template/order-input.ts";
import { namedPullSecret, pullSecretFault } from "../secret/pull-secret.ts";
import type { Cluster, ClusterSpec } from "./model.ts";

const field = "spec.pull_secret";

/** The message for a request with both. */
const exclusive = "pull_secret and pull_secret_secret are mutually exclusive";

/** The secret object that an order names, if there is one, and its faults. */
type PullSecretSearch = (named: ReferenceInput) => Promise<[Reference | undefined, Violation[]]>;

/** Searches for secret objects in an order's project, each once. */
export const searchPullSecret = (
  deps: Pick<SecretDeps, "store" | "kinds" | "secrets">,
  place: Place,
): PullSecretSearch =>
  onceEach(async (named) => {
    const faults: Violation[] = [];
    return [await namedPullSecret(deps, place, named, `${field}_secret`, faults), faults];
  });

/** The secret object that an order names as its pull secret; it has to be in the order's own project. */
export async function ownPullSecret(
  search: PullSecretSearch,
  { pull_secret, pull_secret_secret: named }: ClusterSpecInput,
  violations: Violation[],
): Promise<Reference | undefined> {
  if (named === undefined) return undefined;
  if (pull_secret) violations.push({ field: `${field}_secret`, message: exclusive });
  const [found, faults] = await search(named);
  violations.push(...faults);
  return found;
}

/**
 * The pull secret in an order. Its reference is new: a client may choose the id of an existing cluster, whose
 * secret must not be overwritten.
 */
export function broughtPullSecret(
  { newId }: Pick<Deps, "newId">,
  id: ClusterId,
  { id: chosen, spec: { pull_secret: value } }: ClusterInput,
): Secret | undefined {
  if (!value) return undefined;
  const own = secretReference.pullSecret(id);
  return { reference: chosen === undefined ? own : `${own}/${newId()}`, value };
}

/** The source of a cluster's pull secret, and the text to store for it. */
export interface PullSecretChange {
  spec: Pick<ClusterSpec, "pull_secret" | "pull_secret_secret">;
  secret?: Secret;
}

/**
 * The pull secret after a change: a new text gets a new reference, so that the record changes too; otherwise a
 * secret object; or neither, which means the provider's.
 */
export async function changedPullSecret(
  deps: Pick<SecretDeps, "kinds" | "store" | "secrets" | "newId">,
  { id, metadata, spec }: Cluster,
  { pull_secret: text, pull_secret_secret: named }: ClusterSpecInput,
  violations: Violation[],
): Promise<PullSecretChange> {
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
