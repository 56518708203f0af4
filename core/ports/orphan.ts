/** An object outside that carries our ownership tag and belongs to no order. */

export const orphanSystems = ["hub", "fabric", "dns", "storage"] as const;
export type OrphanSystem = (typeof orphanSystems)[number];

export interface Orphan {
  system: OrphanSystem;
  /** Such as `Namespace`, `network` or `dns_records`. */
  kind: string;
  /** Its id in its system. */
  id: string;
  /** The cluster that its ownership tag names. */
  cluster: string;
  /** Its VLAN id, prefix or address, which nobody else gets meanwhile. */
  number?: string;
  first_seen: string;
}

/** The orphans of a hub or a site; `items` are the first of them. */
export interface Orphans {
  count: number;
  items: Orphan[];
}

/** How many of them a status lists. */
export const listedOrphans = 50;

/** What to do about orphans: report them, or also remove them once they are old enough. */
export const orphanPolicies = ["report", "remove"] as const;
