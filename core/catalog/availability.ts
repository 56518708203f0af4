import type { Deps } from "../deps.ts";
import type { HostType } from "../model/host-type.ts";
import type { Hub } from "../model/hub.ts";
import type { Caller } from "../order/caller.ts";
import { candidates } from "../placement/hubs.ts";
import { hostCounts } from "../placement/inventory.ts";
import { freeHostsKey } from "../store/keys.ts";

/** How many hosts of these types there are, and how many are free now, by region. */
export async function availabilityOf({ store }: Deps, caller: Caller, types: HostType[]) {
  const hubs = (await candidates(store)).filter(({ hub }) => isOpen(hub, caller));
  const free = await store.getMany(hubs.map(({ hub }) => freeHostsKey(hub.id)));
  const regions = [...new Set(hubs.map(({ hub }) => hub.spec.region))].sort();
  return types.map(({ id }) => ({
    availability: regions.flatMap((region) => {
      const sum = { total: 0, free: 0 };
      for (const [n, { hub, hosts }] of hubs.entries()) {
        if (hub.spec.region !== region) continue;
        sum.total += hosts[id] ?? 0;
        sum.free += hostCounts(free[n])[id] ?? 0;
      }
      return sum.total === 0 ? [] : [{ region, ...sum }];
    }),
  }));
}

/** Hubs that would take an order of the caller's. */
const isOpen = ({ spec: { cordoned, tenants = [] } }: Hub, caller: Caller): boolean =>
  !cordoned && (caller.everywhere || tenants.length === 0 || tenants.includes(caller.tenant));
