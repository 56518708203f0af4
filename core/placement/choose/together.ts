import type { HostId } from "../../id.ts";
import type { Demand, Want } from "./demand.ts";

/**
 * Owners that are placed together on one hub, all or none. One of them has the combined demand. In it, the sets of the
 * other owners have the owners' names as prefixes. Pure.
 */

const before = (owner: string): string => `${owner}/`;

/** The demand of an owner that includes the demands of others. */
export const together = (own: Demand, others: readonly Demand[]): Demand => ({
  ...own,
  wants: [...own.wants, ...others.flatMap(ofOther)],
});

const ofOther = ({ owner, wants }: Demand): Want[] =>
  wants.map((want) => ({ ...want, set: `${before(owner.id)}${want.set}` }));

/** A host that was found for a set. */
export interface HostOfSet {
  set: string;
  host: HostId;
}

/** The hosts that were found for one of the others, by its own sets. */
export const hostsOfOwner = (owner: string, found: readonly HostOfSet[]): HostOfSet[] =>
  found
    .filter(({ set }) => set.startsWith(before(owner)))
    .map(({ set, host }) => ({ set: set.slice(before(owner).length), host }));
