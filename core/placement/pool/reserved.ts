import { allocationHostsKey, hostsKey } from "../../kernel/object/hub-keys.ts";
import type { Placement } from "../../kernel/object/traits.ts";
import { oncePerCounter } from "../../kernel/store/once-per-counter.ts";
import { any, eq, type Item, lacks, type Write } from "../../kernel/store/store.ts";
import type { PoolPlace } from "./entries.ts";

/**
 * Hosts that allocations reserve for tenants. A free reserved host names its reservation in its entry of the pool, and
 * is in another index partition than hosts that are free for all. A held one is named in the placement of its holder.
 * Counters of the hub and of the allocation change in the same transactions. For hosts that are not reserved, nothing
 * more is written or read. Pure.
 */

/** The allocation that has reserved a host, and its tenant. */
export interface ReservedFor {
  allocation: string;
  tenant: string;
}

/** The number of free hosts of a type on a hub that an allocation has reserved. */
export interface ReservedCount extends ReservedFor {
  hostType: string;
  count: number;
}

const prefix = "kept:";
const counterName = ({ hostType }: PoolPlace, { tenant, allocation }: ReservedFor): string =>
  `${prefix}${hostType}#${tenant}#${allocation}`;

const placePrefix = "at:";
const placeName = ({ hub, hostType }: PoolPlace): string => `${placePrefix}${hub}#${hostType}`;

/** A change of the number of reserved hosts (negative for fewer): of free ones, and of held ones. */
export interface ReservedMove {
  place: PoolPlace;
  reservedFor: ReservedFor | undefined;
  free?: number;
  used?: number;
}

/** The writes of the counters of reserved hosts; none for hosts that are not reserved. */
export const countReserved = (moves: readonly ReservedMove[]): Write[] =>
  oncePerCounter(
    moves.flatMap(({ place, reservedFor, free = 0, used = 0 }): Write[] =>
      reservedFor
        ? [
            { update: hostsKey(place.hub), add: { [counterName(place, reservedFor)]: free } },
            {
              update: allocationHostsKey(reservedFor.allocation),
              add: { total: free + used, used, [placeName(place)]: free },
            },
          ]
        : [],
    ),
  );

/** The counts of free reserved hosts in a hub's counter of hosts; only for these tenants, if any are named. */
export function reservedCounts(
  hosts: Item | undefined,
  tenants: readonly string[] = [],
): ReservedCount[] {
  return Object.entries(hosts ?? {}).flatMap(([name, count]) => {
    if (!name.startsWith(prefix) || typeof count !== "number" || count <= 0) return [];
    const [hostType = "", tenant = "", allocation = ""] = name.slice(prefix.length).split("#");
    if (tenants.length > 0 && !tenants.includes(tenant)) return [];
    return [{ hostType, tenant, allocation, count }];
  });
}

/** The number of these hosts that have one type and are reserved for a tenant; without a tenant, for any tenant. */
export const reservedOf = (
  counts: readonly ReservedCount[] = [],
  hostType: string,
  tenant?: string,
): number =>
  counts
    .filter((each) => each.hostType === hostType && (tenant ?? each.tenant) === each.tenant)
    .reduce((sum, { count }) => sum + count, 0);

/** The numbers of an allocation's hosts: free ones, and ones that its tenant holds. */
export interface AllocationHosts {
  free: number;
  used: number;
}

export function allocationCounts(counters: Item | undefined): AllocationHosts {
  const used = Number(counters?.used ?? 0);
  return { used, free: Number(counters?.total ?? 0) - used };
}

/** The places where an allocation has reserved free hosts, now or earlier. */
export const placesIn = (counters: Item | undefined): PoolPlace[] =>
  Object.keys(counters ?? {}).flatMap((name) => {
    if (!name.startsWith(placePrefix)) return [];
    const [hub = "", hostType = ""] = name.slice(placePrefix.length).split("#");
    return [{ hub, hostType }];
  });

/** The number of free hosts of each type that an allocation has reserved. */
export function reservedByType(counters: Item | undefined): Record<string, number> {
  const types: Record<string, number> = {};
  for (const place of placesIn(counters)) {
    const { hostType } = place;
    types[hostType] = (types[hostType] ?? 0) + Number(counters?.[placeName(place)] ?? 0);
  }
  return types;
}

/** Removes the count of a deleted allocation from a hub on which it has no reserved hosts any more. */
export const forgetReserved = (place: PoolPlace, reservedFor: ReservedFor): Write => ({
  update: hostsKey(place.hub),
  remove: [counterName(place, reservedFor)],
  if: any(lacks(counterName(place, reservedFor)), eq(counterName(place, reservedFor), 0)),
});

/** The reservation of a host that a tenant's object holds; undefined for a host that counts in no allocation. */
export function reservedIn(
  { kept }: Pick<Placement, "kept">,
  tenant: string,
  host: string,
): ReservedFor | undefined {
  const allocation = kept?.[host];
  return allocation === undefined ? undefined : { allocation, tenant };
}

/** The allocations in which hosts of a placement count. */
export const allocationsOf = (placement: Pick<Placement, "kept"> | undefined): string[] => [
  ...new Set(Object.values(placement?.kept ?? {})),
];

/** The placement without these hosts' reservations, after their release. */
export function withoutReserved(placement: Placement, hosts: ReadonlySet<string>): Placement {
  const { kept = {}, ...rest } = placement;
  const left = Object.entries(kept).filter(([host]) => !hosts.has(host));
  return left.length > 0 ? { ...rest, kept: Object.fromEntries(left) } : rest;
}
