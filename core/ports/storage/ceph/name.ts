import type { TaggedOwner } from "../../owner.ts";

/** The kind of an owner whose name does not say it: from the time when only clusters could own storage. */
const unsaid = "cluster";

/**
 * The name of an owner's namespace and user. The name is a namespace's only ownership tag, and the id
 * in it keeps it unique. Names of tenants have no dot.
 */
export const cephName = ({ kind, id, tenant }: TaggedOwner): string =>
  `slipway-${kind === unsaid ? "" : `${kind}.`}${tenant}-${id}`;

/** The owner in a name; undefined for a name that Slipway did not make. */
export function parseCephName(name: string): TaggedOwner | undefined {
  const [, kind = unsaid, tenant, id] =
    /^slipway-(?:([a-z_]+)\.)?(.+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(name) ?? [];
  return tenant === undefined || id === undefined ? undefined : { kind, id, tenant };
}
