import type { Deps } from "../../kernel/deps.ts";
import { ownIpam } from "../../ports/ipam/own/own.ts";
import type { Family } from "../../prefix.ts";
import type { NetworkClass } from "./model.ts";
import { poolsOf } from "./pools.ts";

/** How full the pools of a class are. */

export interface PoolUsage {
  total: number;
  used: number;
  /** Numbers whose networks went a short while ago; nobody can have them yet. */
  resting: number;
  free: number;
}

export async function usageOf(
  deps: Deps,
  networkClass: NetworkClass,
): Promise<Partial<Record<Family, PoolUsage>> | undefined> {
  const pools = poolsOf(networkClass);
  if (pools.length === 0) return undefined;
  const ipam = ownIpam(deps);
  const counted = await Promise.all(
    pools.map(async ({ use, pool }) => {
      const { used, resting, size: total } = await ipam.survey(pool);
      return [use, { total, used, resting, free: Math.max(0, total - used - resting) }] as const;
    }),
  );
  return Object.fromEntries(counted);
}
