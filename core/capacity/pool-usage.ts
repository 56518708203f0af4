import { timestamp } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { outsideNumberPartition, restingPartition } from "../kernel/object/keys.ts";
import type { Query, Store } from "../kernel/store/store.ts";
import { type NumberPool, usageOf } from "../ports/ipam/own/numbers.ts";
import type { PoolUse, Site } from "../resources/site/model.ts";
import { poolOf } from "../site/pools.ts";

/** How much of a site's pools of numbers is used, from their counters, and what rests now. */

export interface PoolUsage {
  total: number;
  used: number;
  /** Used numbers that are held for orphans at the site. */
  orphaned: number;
  /** Released a short while ago, and not claimable yet. */
  resting: number;
  free: number;
}

/** By use; undefined for a site without a fabric. */
export async function usageOfPools(
  deps: Pick<Deps, "store" | "clock">,
  site: Site,
): Promise<Record<PoolUse, PoolUsage> | undefined> {
  const { network } = site.spec;
  if (!network) return undefined;
  const of = (use: PoolUse) => usage(deps, poolOf(site, network, use));
  const [vlans, prefixes, floating_ips] = await Promise.all([
    of("vlans"),
    of("prefixes"),
    of("floating_ips"),
  ]);
  return { vlans, prefixes, floating_ips };
}

async function usage(deps: Pick<Deps, "store" | "clock">, pool: NumberPool): Promise<PoolUsage> {
  const { used, size } = await usageOf(deps, pool);
  // A number whose rest is over counts as resting until somebody claims it.
  const from = `${timestamp(deps.clock.now())}#~`;
  const resting = await count(deps.store, { pk: restingPartition(pool.name), range: { from } });
  const orphaned = await count(deps.store, { pk: outsideNumberPartition(pool.name) });
  return { total: size, used, orphaned, resting, free: Math.max(0, size - used - resting) };
}

async function count(store: Store, query: Query): Promise<number> {
  let found = 0;
  let cursor: string | undefined;
  do {
    const page = await store.query({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    found += page.items.length;
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}
