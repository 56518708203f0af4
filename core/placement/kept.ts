import { allocationHostsKey, hostsKey } from "../kernel/object/hub-keys.ts";
import type { Placement } from "../kernel/object/traits.ts";
import { oncePerCounter } from "../kernel/store/once-per-counter.ts";
import { any, eq, type Item, lacks, type Write } from "../kernel/store/store.ts";
import type { PoolPlace } from "./pool.ts";

/**
 * Hosts that allocations keep for tenants. A free host that is kept says so in its entry of the pool, and lies in
 * another partition of the index than those that are free for all. One that is held says so in the placement of
 * its holder. Counters of the hub and of the allocation move in the same transactions. Of a host that nobody keeps
 * nothing more is written or read. Pure.
 */

/** For whom a host is kept. */
export interface Kept {
  allocation: string;
  tenant: string;
}

/** The number of free hosts of a type on a hub that an allocation keeps. */
export interface KeptCount extends Kept {
  hostType: string;
  count: number;
}

const prefix = "kept:";
const counterName = ({ hostType }: PoolPlace, { tenant, allocation }: Kept): string =>
  `${prefix}${hostType}#${tenant}#${allocation}`;

const placePrefix = "at:";
const placeName = ({ hub, hostType }: PoolPlace): string => `${placePrefix}${hub}#${hostType}`;

/** How many hosts come to be kept or leave that (below zero): free ones, and held ones. */
export interface KeptMove {
  place: PoolPlace;
  kept: Kept | undefined;
  free?: number;
  used?: number;
}

/** The counts of hosts that are kept; none for hosts that nobody keeps. */
export const countKept = (moves: readonly KeptMove[]): Write[] =>
  oncePerCounter(
    moves.flatMap(({ place, kept, free = 0, used = 0 }): Write[] =>
      kept
        ? [
            { update: hostsKey(place.hub), add: { [counterName(place, kept)]: free } },
            {
              update: allocationHostsKey(kept.allocation),
              add: { total: free + used, used, [placeName(place)]: free },
            },
          ]
        : [],
    ),
  );

/** What the counter of a hub's hosts says of free hosts that are kept; for these tenants, if any are named. */
export function keptCounts(hosts: Item | undefined, tenants: readonly string[] = []): KeptCount[] {
  return Object.entries(hosts ?? {}).flatMap(([name, count]) => {
    if (!name.startsWith(prefix) || typeof count !== "number" || count <= 0) return [];
    const [hostType = "", tenant = "", allocation = ""] = name.slice(prefix.length).split("#");
    if (tenants.length > 0 && !tenants.includes(tenant)) return [];
    return [{ hostType, tenant, allocation, count }];
  });
}

/** How many of these are of a type, and kept for a tenant; for anybody without one. */
export const keptOf = (
  counts: readonly KeptCount[] = [],
  hostType: string,
  tenant?: string,
): number =>
  counts
    .filter((each) => each.hostType === hostType && (tenant ?? each.tenant) === each.tenant)
    .reduce((sum, { count }) => sum + count, 0);

/** How many hosts an allocation has: free ones, and those that its tenant holds. */
export interface AllocationHosts {
  free: number;
  used: number;
}

export function allocationHosts(counters: Item | undefined): AllocationHosts {
  const used = Number(counters?.used ?? 0);
  return { used, free: Number(counters?.total ?? 0) - used };
}

/** Where an allocation keeps hosts that are free, or has done so. */
export const placesIn = (counters: Item | undefined): PoolPlace[] =>
  Object.keys(counters ?? {}).flatMap((name) => {
    if (!name.startsWith(placePrefix)) return [];
    const [hub = "", hostType = ""] = name.slice(placePrefix.length).split("#");
    return [{ hub, hostType }];
  });

/** How many hosts of each type an allocation keeps that are free. */
export function keptByType(counters: Item | undefined): Record<string, number> {
  const types: Record<string, number> = {};
  for (const place of placesIn(counters)) {
    const { hostType } = place;
    types[hostType] = (types[hostType] ?? 0) + Number(counters?.[placeName(place)] ?? 0);
  }
  return types;
}

/** Takes the count of an allocation that is gone out of those of a hub, where it keeps nothing any more. */
export const forgetKept = (place: PoolPlace, kept: Kept): Write => ({
  update: hostsKey(place.hub),
  remove: [counterName(place, kept)],
  if: any(lacks(counterName(place, kept)), eq(counterName(place, kept), 0)),
});

/** For whom a host is kept that an object of a tenant holds; undefined for one that counts in no allocation. */
export function keptIn(
  { kept }: Pick<Placement, "kept">,
  tenant: string,
  host: string,
): Kept | undefined {
  const allocation = kept?.[host];
  return allocation === undefined ? undefined : { allocation, tenant };
}

/** The allocations in which hosts of a placement count. */
export const allocationsOf = (placement: Pick<Placement, "kept"> | undefined): string[] => [
  ...new Set(Object.values(placement?.kept ?? {})),
];

/** The placement once these hosts are released. */
export function withoutKept(placement: Placement, hosts: ReadonlySet<string>): Placement {
  const { kept = {}, ...rest } = placement;
  const left = Object.entries(kept).filter(([host]) => !hosts.has(host));
  return left.length > 0 ? { ...rest, kept: Object.fromEntries(left) } : rest;
}
