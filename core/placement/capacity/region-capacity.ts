import { capacityPartition, regionOfCapacity } from "../../kernel/object/hub-keys.ts";
import { everyItem } from "../../kernel/store/pages.ts";
import type { Store } from "../../kernel/store/store.ts";
import { countNames } from "./hub-capacity.ts";

/** The capacity of regions, from the sums of the capacity of their hubs. */

interface Amount {
  total: number;
  used: number;
  free: number;
}

interface HostAmount extends Amount {
  /** Free hosts that are reserved for tenants; not counted as `free`. */
  kept: number;
  /** Free hosts that are reserved for the tenant that sees the capacity; also counted as `free`. */
  own: number;
}

/** The capacity of all hubs in a region that an audience sees. */
export interface RegionCapacity {
  region: string;
  control_planes: Amount;
  /** By host type. */
  hosts: ReadonlyMap<string, HostAmount>;
}

/** The capacity of the hubs that these audiences see, by region in order of their names. */
export async function capacityByRegion(
  store: Store,
  audiences: readonly string[],
): Promise<RegionCapacity[]> {
  const ofAudiences = await Promise.all(
    audiences.map((audience) => everyItem(store, { pk: capacityPartition(audience) })),
  );
  const regions = new Map<string, Map<string, number>>();
  for (const { sk, ...counters } of ofAudiences.flat()) {
    const region = regionOfCapacity(sk);
    const sums = regions.get(region) ?? new Map<string, number>();
    for (const [name, count] of Object.entries(counters))
      if (typeof count === "number") sums.set(name, (sums.get(name) ?? 0) + count);
    regions.set(region, sums);
  }
  return [...regions]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([region, sums]) => ({ region, ...capacityIn(sums) }));
}

function capacityIn(sums: ReadonlyMap<string, number>): Omit<RegionCapacity, "region"> {
  const { slots, usedSlots, freeSlots, hosts, freeHosts, heldHosts, keptHosts, ownHosts } =
    countNames;
  const amount = (total: string, used: string, free: string): Amount => ({
    total: sums.get(total) ?? 0,
    used: sums.get(used) ?? 0,
    free: sums.get(free) ?? 0,
  });
  const types = [...sums.keys()].flatMap((name) =>
    name.startsWith(hosts) ? [name.slice(hosts.length)] : [],
  );
  const known = types
    .sort()
    .map((type) => {
      const [kept, own] = [keptHosts, ownHosts].map((name) => sums.get(name + type) ?? 0);
      const known = amount(hosts + type, heldHosts + type, freeHosts + type);
      return [type, { ...known, kept: kept ?? 0, own: own ?? 0 }] as const;
    })
    .filter(([, { total }]) => total > 0);
  return { control_planes: amount(slots, usedSlots, freeSlots), hosts: new Map(known) };
}
