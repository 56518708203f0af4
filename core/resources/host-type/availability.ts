import type { Deps } from "../../kernel/deps.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { isUnreached, lackingIn } from "../../placement/hub.ts";
import { hubsOf } from "../../placement/hubs.ts";
import type { Hub } from "../hub/model.ts";
import { usageOfHubs } from "../hub/usage.ts";
import type { HostType } from "./model.ts";

/**
 * How many hosts of these types there are, and how many are free now: by region, on hubs that accept
 * orders of the caller; and for the provider on every hub.
 */
export async function availabilityOf(deps: Deps, caller: Caller, found: Promise<HostType[]>) {
  const [types, hubs] = await Promise.all([found, hubsOf(deps)]);
  const usages = await usageOfHubs(deps.store, hubs);
  const all = hubs.map((hub, n) => ({ hub, hosts: usages[n]?.hosts ?? [] }));
  const open = all.filter(({ hub }) => isOpen(hub, caller));
  const regions = [...new Set(open.flatMap(({ hub }) => hub.spec.region ?? []))].sort();
  return types.map(({ id }) => ({
    availability: regions.flatMap((region) => {
      const here = open.filter(({ hub }) => hub.spec.region === region);
      const sum = { total: 0, free: 0 };
      for (const usage of here.flatMap(({ hosts }) => hosts)) {
        if (usage.host_type !== id) continue;
        sum.total += usage.total;
        sum.free += usage.free;
      }
      return sum.total === 0 ? [] : [{ region, ...sum }];
    }),
    hubs: all.flatMap(({ hub, hosts }) =>
      hosts
        .filter(({ host_type }) => host_type === id)
        .map(({ host_type: _, ...usage }) => ({ hub: hub.id, ...usage })),
    ),
  }));
}

/** Whether a hub accepts orders of the caller. */
function isOpen(hub: Hub, caller: Caller): boolean {
  const { cordoned, tenants = [] } = hub.spec;
  if (cordoned || isUnreached(hub) || lackingIn(hub.spec).length > 0) return false;
  return caller.everywhere || tenants.length === 0 || tenants.includes(caller.tenant);
}
