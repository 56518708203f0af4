import { bounds, cut } from "../bounds.ts";
import type { OwnershipTag } from "./owner.ts";

/** An outside object with our ownership tag whose owner no longer exists. */

export const orphanSystems = ["hub", "fabric", "dhcp", "dns", "storage"] as const;
export type OrphanSystem = (typeof orphanSystems)[number];

export interface Orphan {
  system: OrphanSystem;
  /** The kind of object, such as `Namespace`, `network` or `dns_records`. */
  kind: string;
  /** The object's id in its system. */
  id: string;
  /** The owner that the ownership tag names. */
  owner: OwnershipTag;
  /** The VLAN id, prefix or address that the object uses; nobody can claim it meanwhile. */
  number?: string;
  first_seen: string;
}

/**
 * An orphan as the API answers it. `cluster` is the owner's id: the member's name dates from when only
 * clusters could own one.
 */
type ToldOrphan = Omit<Orphan, "owner"> & { cluster: string };

/** The orphans of a hub or a site, as its status shows them; `items` are the first of them. */
export interface Orphans {
  count: number;
  items: ToldOrphan[];
}

/** Answers the part of a status for these orphans. */
export const toldOf = (orphans: readonly Orphan[]): Orphans => ({
  count: orphans.length,
  items: orphans.slice(0, listedOrphans).map(({ system, kind, id, owner, number, first_seen }) => ({
    system,
    kind: cut(kind, bounds.name),
    id: cut(id, bounds.name),
    cluster: cut(owner.id, bounds.name),
    ...(number !== undefined && { number: cut(number, bounds.name) }),
    first_seen,
  })),
});

/** How many orphans a status lists. */
export const listedOrphans = 50;

/** The treatment of orphans: report them, or also remove them once they are old enough. */
export const orphanPolicies = ["report", "remove"] as const;
