import type { Deps } from "../../kernel/deps.ts";
import type { Ipam, NumberPool } from "../../ports/ipam/ipam.ts";
import type { PoolUse, Site } from "./model.ts";
import { numbersOf } from "./pools.ts";

/** How many numbers of a site's pools are used, and how many rest now. */

export interface PoolUsage {
  total: number;
  used: number;
  /** Of the used numbers, those of orphans at the site. */
  orphaned: number;
  /** Numbers that were released a short while ago; nobody can claim them yet. */
  resting: number;
  free: number;
}

/** The usage by use; undefined for a site without a fabric. */
export async function usageOfPools(
  deps: Pick<Deps, "store" | "kinds" | "clock" | "log">,
  site: Site,
): Promise<Record<PoolUse, PoolUsage> | undefined> {
  const numbers = numbersOf(deps, site);
  if (!numbers) return undefined;
  const of = (use: PoolUse) => usage(numbers.ipam, numbers.pools[use]);
  const [vlans, prefixes, floating_ips] = await Promise.all([
    of("vlans"),
    of("prefixes"),
    of("floating_ips"),
  ]);
  return { vlans, prefixes, floating_ips };
}

async function usage(ipam: Ipam, pool: NumberPool): Promise<PoolUsage> {
  const { used, resting, size, foreign } = await ipam.survey(pool);
  return {
    total: size,
    used,
    orphaned: foreign,
    resting,
    free: Math.max(0, size - used - resting),
  };
}
