import type { Deps } from "../../kernel/deps.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { audiences } from "../../placement/capacity/hub-capacity.ts";
import { capacityByRegion } from "../../placement/capacity/region-capacity.ts";
import type { HostType } from "./model.ts";

/** The number of hosts of these types, and of free ones, by region, on hubs that accept orders of the caller. */
export async function availabilityOf(deps: Deps, caller: Caller, found: Promise<HostType[]>) {
  const { everybody, kept } = audiences;
  const seen = [everybody, caller.everywhere ? kept : caller.tenant];
  const [types, regions] = await Promise.all([found, capacityByRegion(deps.store, seen)]);
  return types.map(({ id }) => ({
    availability: regions.flatMap(({ region, hosts }) => {
      const here = hosts.get(id);
      return here ? [{ region, total: here.total, free: here.free }] : [];
    }),
  }));
}
