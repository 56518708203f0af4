import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { PlacedKind, Placement } from "../../kernel/object/traits.ts";
import type { Constraints, Needs } from "../hubs/candidate.ts";
import type { Hub } from "../hubs/hub.ts";
import type { Racks } from "../pool/host.ts";

/** An owner's demand, in the terms of placement. Each kind that is placed makes a demand from its record. Pure. */
export interface Demand {
  owner: { kind: PlacedKind; id: string; tenant: string };
  wants: Want[];
  /** Whether the owner takes a control-plane slot of its hub. */
  slot: boolean;
  where: Omit<Constraints, "tenant">;
  /** The placement of the hosts in racks, for hosts of one type; absent where it does not matter. */
  racks?: Racks;
  /** The purpose of the hosts that it lacks, in words, such as `to replace host rack-1`. */
  purpose?: string;
  /**
   * The number of hosts in use, by set. A waiting owner keeps these hosts. Absent without any: then a waiting owner
   * releases its whole placement.
   */
  inUse?: Record<string, number>;
  /** Every queue in which the owner's operation may have a ticket. */
  queues: readonly string[];
}

/**
 * The part of a demand that a search for hosts needs. An allocation searches without holding anything: `free` limits
 * its search to hosts that are not reserved.
 */
export interface HostSearch extends Omit<Demand, "owner"> {
  owner: Pick<Demand["owner"], "tenant">;
  free?: true;
}

/**
 * The total number of hosts that a set of the owner needs. A set that is being removed has a count of 0 as long as it
 * may still have hosts: the requirements on the hub still include it.
 */
export interface Want {
  set: string;
  hostType: string;
  count: number;
}

/** How a kind's record gets a placement and loses it. */
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
 * The number of hosts that the owner's hub must have in total, for each type that the owner lacks. Includes hosts that
 * the owner already holds.
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

/** The hosts that the owner holds besides those in use. */
export const idleHosts = ({ inUse = {} }: Demand, placement: Placement | undefined): Set<string> =>
  new Set(
    Object.entries(placement?.hosts ?? {}).flatMap(([set, hosts]) => hosts.slice(inUse[set] ?? 0)),
  );
