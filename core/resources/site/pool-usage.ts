import { knownNumbersOf } from "../../at-site/pools.ts";
import { type PoolUse, poolUses, type Site } from "../../at-site/site.ts";
import type { Deps } from "../../kernel/deps.ts";
import { regionUseKey, type Trend, trendsOf } from "../../placement/capacity/trend.ts";
import type { Survey } from "../../ports/ipam/ipam.ts";

/** The usage of a site's pools of numbers. */

export interface PoolUsage {
  total: number;
  used: number;
  /** The used numbers that belong to orphans at the site. */
  orphaned: number;
  /** Numbers in their rest after a release: nobody can claim them yet. */
  resting: number;
  free: number;
}

/** The usage of a site's pools with its trend. */
export async function poolsWithTrends(
  deps: Pick<Deps, "store" | "kinds" | "clock" | "log">,
  site: Site,
): Promise<Record<PoolUse, PoolUsage & Trend> | undefined> {
  const keyOf = (use: PoolUse) => regionUseKey(use, site.id);
  const [pools, trendOf] = await Promise.all([
    usageOfPools(deps, site),
    trendsOf(deps, site.spec.network ? poolUses.map(keyOf) : []),
  ]);
  if (!pools) return undefined;
  const ofUse = (use: PoolUse) => ({ ...pools[use], ...trendOf(keyOf(use), pools[use]) });
  return {
    vlans: ofUse("vlans"),
    prefixes: ofUse("prefixes"),
    floating_ips: ofUse("floating_ips"),
  };
}

/** The usage of each pool; undefined for a site without a fabric, and before its allocator first reports. */
export async function usageOfPools(
  deps: Pick<Deps, "store" | "kinds" | "clock" | "log">,
  site: Site,
): Promise<Record<PoolUse, PoolUsage> | undefined> {
  const numbers = knownNumbersOf(deps, site);
  if (!numbers) return undefined;
  const of = async (use: PoolUse) => numbers.survey(numbers.pools[use]);
  const [vlans, prefixes, floating_ips] = await Promise.all([
    of("vlans"),
    of("prefixes"),
    of("floating_ips"),
  ]);
  if (!vlans || !prefixes || !floating_ips) return undefined;
  return {
    vlans: usage(vlans),
    prefixes: usage(prefixes),
    floating_ips: usage(floating_ips),
  };
}

function usage({ used, resting, size, foreign }: Survey): PoolUsage {
  return {
    total: size,
    used,
    orphaned: foreign,
    resting,
    free: Math.max(0, size - used - resting),
  };
}
