import type { Deps } from "../../kernel/deps.ts";
import { ownIpam } from "../../ports/ipam/own/own.ts";
import { addressPool } from "./members.ts";
import type { Subnet } from "./model.ts";

/** The usage of a subnet's IPv4 addresses. */

export interface AddressUsage {
  total: number;
  used: number;
  /** Addresses in their rest after a release: nobody can claim them yet. */
  resting: number;
  free: number;
}

/** Takes one read if no address rests. Undefined for a subnet without hosts: at no site, or without IPv4. */
export async function addressUsage(
  deps: Pick<Deps, "store" | "kinds" | "clock" | "log">,
  subnet: Subnet,
): Promise<AddressUsage | undefined> {
  const pool = subnet.site && addressPool(subnet, 0);
  if (!pool) return undefined;
  const ipam = ownIpam(deps);
  const counted = await ipam.usage(pool);
  // The counter includes addresses whose rest has ended, until somebody claims them.
  const { used, resting, size: total } = counted.resting > 0 ? await ipam.survey(pool) : counted;
  return { total, used, resting, free: Math.max(0, total - used - resting) };
}
