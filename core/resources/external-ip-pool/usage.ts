import type { Deps } from "../../kernel/deps.ts";
import { changeObject } from "../../kernel/events/rewrite.ts";
import { load } from "../../kernel/object/records.ts";
import type { Usage } from "../../ports/ipam/ipam.ts";
import { isLowWith } from "../../ports/ipam/low-mark.ts";
import { ownIpam } from "../../ports/ipam/own/own.ts";
import type { ExternalIpPool } from "./model.ts";
import { numbersOfPool } from "./numbers.ts";

/** The usage of pools. */

type NumberDeps = Pick<Deps, "store" | "kinds" | "clock" | "log">;

export interface PoolCounts {
  total: number;
  allocated: number;
  resting: number;
  available: number;
}

export async function countsOf(deps: NumberDeps, pool: ExternalIpPool): Promise<PoolCounts> {
  return countsIn(await ownIpam(deps).survey(numbersOfPool(pool)));
}

/** The counts in a usage that was read. */
const countsIn = ({ used, resting, size }: Usage): PoolCounts => ({
  total: size,
  allocated: used,
  resting,
  available: Math.max(0, size - used - resting),
});

/**
 * Records in the pool's status when fewer addresses are free than its low mark, and when that ends; either publishes
 * an event. Counts again after each write, because the pool may have changed before the write.
 */
export async function notePoolLow(deps: NumberDeps, id: string): Promise<void> {
  let pool = await load(deps, "external_ip_pool", id);
  while (pool) {
    const low = await isLow(deps, pool);
    if (pool.status.low === low) return;
    pool = await changeObject(deps, "external_ip_pool", id, (each) => ({
      ...each,
      status: { ...each.status, low },
    }));
  }
}

/** Resting addresses become free without further action, so they count as free here. */
async function isLow(deps: NumberDeps, pool: ExternalIpPool): Promise<boolean> {
  const { used, size } = await ownIpam(deps).usage(numbersOfPool(pool));
  return isLowWith(size - used, size, pool.spec.low_mark);
}
