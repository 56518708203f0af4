/** Something outside that carries our mark and belongs to no order. */

export const orphanSystems = ["hub", "fabric", "dns", "storage"] as const;
export type OrphanSystem = (typeof orphanSystems)[number];

export interface Orphan {
  system: OrphanSystem;
  /** Such as `Namespace`, `network` or `dns_records`. */
  kind: string;
  /** As its system knows it. */
  id: string;
  /** The cluster that its mark names. */
  cluster: string;
  /** The VLAN id, prefix or address that it has, which nobody else gets meanwhile. */
  number?: string;
  first_seen: string;
}

/** What was found at a hub or a site; `items` are the first of them. */
export interface Orphans {
  count: number;
  items: Orphan[];
}

/** How many of them a status lists. */
export const listedOrphans = 50;

/** What becomes of orphans: they are told of, or also taken away once they are old enough. */
export const orphanPolicies = ["report", "remove"] as const;
