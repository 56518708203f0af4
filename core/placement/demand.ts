import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { PlacedKind, Placement } from "../kernel/object/traits.ts";
import type { Constraints, Needs } from "./choose.ts";
import type { Hub } from "./hub.ts";

/** What an owner asks of a hub, in placement's own words: each kind that is placed makes one of its record. Pure. */
export interface Demand {
  owner: { kind: PlacedKind; id: string; tenant: string };
  wants: Want[];
  where: Pick<Constraints, "region" | "labels">;
  /**
   * How many hosts of each set are in use, which the owner keeps while it waits for others. Absent:
   * none, and the whole place is given back meanwhile.
   */
  inUse?: Record<string, number>;
  /** Every queue that its operation may have a ticket of. */
  queues: readonly string[];
}

/**
 * How many hosts a set of the owner's is to have in all. A set that gets none any more is here with a
 * count of 0 as long as it may have some: they are of use to know what its hub must have.
 */
export interface Want {
  set: string;
  hostType: string;
  count: number;
}

/** How the record of a kind takes a place, and gives it up. */
export interface Placing<K extends PlacedKind> {
  kind: K;
  placed(object: ObjectOf[K], placement: Placement, hub: Hub): ObjectOf[K];
  unplaced(object: ObjectOf[K]): ObjectOf[K];
}

/** The hosts that each set has yet to get. */
export function lackingHosts(
  wants: Want[],
  placement: Placement | undefined,
): Map<string, { hostType: string; count: number }> {
  const lacking = new Map<string, { hostType: string; count: number }>();
  for (const { set, hostType, count } of wants) {
    const missing = count - (placement?.hosts[set]?.length ?? 0);
    if (missing > 0) lacking.set(set, { hostType, count: missing });
  }
  return lacking;
}

/** Hosts by type, of all sets together. */
export function totals(lacking: ReturnType<typeof lackingHosts>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { hostType, count } of lacking.values())
    sums.set(hostType, (sums.get(hostType) ?? 0) + count);
  return sums;
}

/** Of each type that it lacks, how many hosts its hub must have altogether: with those it holds. */
export function needsOf({ wants }: Demand, placement: Placement | undefined): Needs {
  const needs = totals(lackingHosts(wants, placement));
  for (const { set, hostType } of wants) {
    const lacking = needs.get(hostType);
    const held = placement?.hosts[set]?.length ?? 0;
    if (lacking !== undefined) needs.set(hostType, lacking + held);
  }
  return Object.fromEntries(needs);
}

/** What a hub must be for it; one that is placed can use its own only. */
export const constraintsOf = (
  { owner, where }: Demand,
  placement: Placement | undefined,
): Constraints => ({
  tenant: owner.tenant,
  ...where,
  ...(placement ? { hub: placement.hub } : {}),
});

/** Hosts that it holds beyond those in use. */
export const idleHosts = ({ inUse = {} }: Demand, placement: Placement | undefined): Set<string> =>
  new Set(
    Object.entries(placement?.hosts ?? {}).flatMap(([set, hosts]) => hosts.slice(inUse[set] ?? 0)),
  );
