import { newInfraId } from "../id.ts";
import { claimQuota } from "../kernel/claim/quota.ts";
import type { Deps } from "../kernel/deps.ts";
import { infraKey } from "../kernel/object/keys.ts";
import type { MetadataInput } from "../kernel/object/metadata.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { Request } from "../kernel/request/definition.ts";
import type { Again } from "../kernel/saga/orders.ts";
import { absent, type Write } from "../kernel/store/store.ts";
import type { MadeOutside, MadeOutsideKind } from "./made-outside.ts";

/**
 * An object's further claims, besides name and quota. The order makes them, and a failed creation releases
 * them.
 */
export interface SiteClaims<T> {
  /**
   * The writes of the claims that the object does not have yet. Throws FailedPrecondition if another object has
   * one of them.
   */
  claim(deps: Deps, object: T): Promise<Write[]>;
  /** The writes that release the claims, except those that another object has made since. */
  release(deps: Deps, object: T): Promise<Write[]>;
}

/**
 * Orders a failed creation again by the present spec, with the object's name, quota and other claims. Throws
 * QuotaExceeded, and the errors of the claims.
 */
export async function orderedAgain<K extends MadeOutsideKind>(
  deps: Deps,
  object: ObjectOf[K],
  {
    create,
    charge,
    claims,
  }: {
    create: string;
    charge: Record<string, number>;
    claims?: SiteClaims<ObjectOf[K]> | undefined;
  },
): Promise<Again<K> | undefined> {
  if (object.made || !object.failure) return undefined;
  const after = { ...object, charge };
  const [quota, claimed] = await Promise.all([
    claimQuota(deps, object, after, () => "spec"),
    claims?.claim(deps, object) ?? [],
  ]);
  return { saga: create, change: "CREATE", object: after, writes: [...quota, ...claimed] };
}

/**
 * The members that a new outside object gets with its order: its outside name and its quota. Throws
 * QuotaExceeded.
 */
export async function orderedOutside(
  {
    deps,
    id,
    tenant,
    input,
  }: Pick<
    Request<MadeOutsideKind, { metadata: MetadataInput }>,
    "deps" | "id" | "tenant" | "input"
  >,
  {
    kind,
    charge,
    at: { site, hub },
  }: { kind: MadeOutsideKind; charge: Record<string, number>; at: Whereabouts },
): Promise<{ record: Pick<MadeOutside, "infra_id" | "charge" | "site" | "hub">; writes: Write[] }> {
  // Each attempt gets a new name, because a name in use may be why the last attempt failed.
  const infra_id = newInfraId(deps.random);
  const { project } = input.metadata;
  const metadata = { tenant, ...(project ? { project } : {}) };
  return {
    record: {
      infra_id,
      charge,
      ...(site && { site: { id: site.id, parts: {} } }),
      ...(hub && { hub: { id: hub.id, parts: {} } }),
    },
    writes: [
      { put: { ...infraKey(infra_id), [kind]: id }, if: absent },
      ...(await claimQuota(deps, undefined, { metadata, charge }, () => "spec")),
    ],
  };
}

/** The site or the hub of an object; undefined for an object without outside parts. */
interface Whereabouts {
  site?: { id: string };
  hub?: { id: string };
}
