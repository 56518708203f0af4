import type { Deps } from "../../kernel/deps.ts";
import { ownIpam } from "../../ports/ipam/own/own.ts";
import { addressPool } from "./members.ts";
import type { Subnet } from "./model.ts";

/** How many IPv4 addresses of a subnet its members have, and how many are left. */

export interface AddressUsage {
  total: number;
  used: number;
  /** Addresses that were released a short while ago; nobody can claim them yet. */
  resting: number;
  free: number;
}

/** One read while none rests. Undefined for a subnet in which nothing can stand: at no site, or without IPv4. */
export async function addressUsage(
  deps: Pick<Deps, "store" | "kinds" | "clock" | "log">,
  subnet: Subnet,
): Promise<AddressUsage | undefined> {
  const pool = subnet.site && addressPool(subnet, 0);
  if (!pool) return undefined;
  const ipam = ownIpam(deps);
  const counted = await ipam.usage(pool);
  // The counter still has those whose rest is over, until somebody claims them.
  const { used, resting, size: total } = counted.resting > 0 ? await ipam.survey(pool) : counted;
  return { total, used, resting, free: Math.max(0, total - used - resting) };
}
