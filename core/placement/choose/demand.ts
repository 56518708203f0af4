import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { PlacedKind, Placement } from "../../kernel/object/traits.ts";
import type { Constraints, Needs } from "../hubs/candidate.ts";
import type { Hub } from "../hubs/hub.ts";
import type { Racks } from "../pool/host.ts";

/**
 * What an owner wants of a hub, in placement's own words. Each kind that is placed makes a demand from
 * its record. Pure.
 */
export interface Demand {
  owner: { kind: PlacedKind; id: string; tenant: string };
  wants: Want[];
  /** Whether the owner takes a control-plane slot of its hub. */
  slot: boolean;
  where: Omit<Constraints, "tenant">;
  /** How the hosts are to be placed, which then are of one type; absent where that does not matter. */
  racks?: Racks;
  /** What the hosts are for that it lacks, in words, such as `to replace host rack-1`. */
  purpose?: string;
  /**
   * The number of hosts of each set that are in use; the owner keeps them while it waits for others.
   * Absent: none, and a waiting owner gives up its whole placement.
   */
  inUse?: Record<string, number>;
  /** Every queue in which the owner's operation may have a ticket. */
  queues: readonly string[];
}

/**
 * What a search for hosts needs of a demand. An allocation searches without holding anything: `free` says that it looks
 * for hosts that is reserved for nobody.
 */
export interface HostSearch extends Omit<Demand, "owner"> {
  owner: Pick<Demand["owner"], "tenant">;
  free?: true;
}

/**
 * The number of hosts that a set of the owner is to have in all. A set that is being removed has a
 * count of 0 here as long as it may have hosts: the requirements on the hub still include it.
 */
export interface Want {
  set: string;
  hostType: string;
  count: number;
}

/** How the record of a kind gets a placement and loses it. */
export interface Placing<K extends PlacedKind> {
  kind: K;
  placed(object: ObjectOf[K], placement: Placement, hub: Hub): ObjectOf[K];
  unplaced(object: ObjectOf[K]): ObjectOf[K];
}

/** The hosts that each set still lacks. */
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

/** The hosts of all sets together, by type. */
export function totals(lacking: ReturnType<typeof lackingHosts>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { hostType, count } of lacking.values())
    sums.set(hostType, (sums.get(hostType) ?? 0) + count);
  return sums;
}

/**
 * The number of hosts that the owner's hub must have in all, for each type that the owner lacks,
 * including hosts that it holds already.
 */
export function needsOf({ wants }: Pick<Demand, "wants">, placement: Placement | undefined): Needs {
  const needs = totals(lackingHosts(wants, placement));
  for (const { set, hostType } of wants) {
    const lacking = needs.get(hostType);
    const held = placement?.hosts[set]?.length ?? 0;
    if (lacking !== undefined) needs.set(hostType, lacking + held);
  }
  return Object.fromEntries(needs);
}

/** The constraints on a hub for the owner; a placed owner can only use its own hub. */
export const constraintsOf = (
  { owner, where }: Pick<HostSearch, "owner" | "where">,
  placement: Placement | undefined,
): Constraints => ({
  tenant: owner.tenant,
  ...where,
  ...(placement ? { hub: placement.hub } : {}),
});

/** The hosts that the owner holds beyond those in use. */
export const idleHosts = ({ inUse = {} }: Demand, placement: Placement | undefined): Set<string> =>
  new Set(
    Object.entries(placement?.hosts ?? {}).flatMap(([set, hosts]) => hosts.slice(inUse[set] ?? 0)),
  );
