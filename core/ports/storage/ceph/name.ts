import type { TaggedOwner } from "../../owner.ts";

/** The owner's kind in names without one, from when only clusters could own storage. */
const unsaid = "cluster";

/**
 * The name of an owner's namespace and user. The name is a namespace's only ownership tag, and the id in it
 * makes it unique. Tenants' names contain no dot.
 */
export const cephName = ({ kind, id, tenant }: TaggedOwner): string =>
  `slipway-${kind === unsaid ? "" : `${kind}.`}${tenant}-${id}`;

/** The owner in a name; undefined if Slipway did not create the name. */
export function parseCephName(name: string): TaggedOwner | undefined {
  const [, kind = unsaid, tenant, id] =
    /^slipway-(?:([a-z_]+)\.)?(.+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(name) ?? [];
  return tenant === undefined || id === undefined ? undefined : { kind, id, tenant };
}
