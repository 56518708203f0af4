/** An object outside that carries our ownership tag and belongs to no order. */

export const orphanSystems = ["hub", "fabric", "dns", "storage"] as const;
export type OrphanSystem = (typeof orphanSystems)[number];

export interface Orphan {
  system: OrphanSystem;
  /** The kind of object, such as `Namespace`, `network` or `dns_records`. */
  kind: string;
  /** The object's id in its system. */
  id: string;
  /** The cluster that the ownership tag names. */
  cluster: string;
  /** The VLAN id, prefix or address that the object uses; nobody can claim it meanwhile. */
  number?: string;
  first_seen: string;
}

/** The orphans of a hub or a site; `items` are the first of them. */
export interface Orphans {
  count: number;
  items: Orphan[];
}

/** How many orphans a status lists. */
export const listedOrphans = 50;

/** What to do about orphans: report them, or also remove them once they are old enough. */
export const orphanPolicies = ["report", "remove"] as const;
