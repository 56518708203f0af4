import type { TaggedOwner } from "../../owner.ts";

/** Names have said the owner's kind only since there is more than this one. */
const unsaid = "cluster";

/**
 * The name of an owner's namespace and user. A namespace has nothing else that could say whose it
 * is; the owner's id in it makes it one that nobody else would choose. Tenants have no dot in theirs.
 */
export const cephName = ({ kind, id, tenant }: TaggedOwner): string =>
  `slipway-${kind === unsaid ? "" : `${kind}.`}${tenant}-${id}`;

/** Whom a name names; undefined for a name that is not one of ours. */
export function parseCephName(name: string): TaggedOwner | undefined {
  const [, kind = unsaid, tenant, id] =
    /^slipway-(?:([a-z_]+)\.)?(.+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(name) ?? [];
  return tenant === undefined || id === undefined ? undefined : { kind, id, tenant };
}
