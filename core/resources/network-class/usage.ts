import type { Deps } from "../../kernel/deps.ts";
import { ownIpam } from "../../ports/ipam/own/own.ts";
import type { Family } from "../../prefix.ts";
import type { ClassPool, NetworkClass } from "./model.ts";
import { classPoolsOf } from "./pools.ts";

/** The usage of a class's pools: `prefix_pools` by family, and `vnis`. */

export interface ClassPoolUsage {
  total: number;
  used: number;
  /** Numbers in their rest after a network's deletion: nobody can claim them yet. */
  resting: number;
  free: number;
}

export interface ClassUsage {
  prefix_pools?: Partial<Record<Family, ClassPoolUsage>>;
  vnis?: ClassPoolUsage;
}

export async function classUsageOf(deps: Deps, networkClass: NetworkClass): Promise<ClassUsage> {
  const pools = classPoolsOf(networkClass);
  const ipam = ownIpam(deps);
  const counted = await Promise.all(
    pools.map(async ({ use, pool }) => {
      const { used, resting, size: total } = await ipam.survey(pool);
      return [use, { total, used, resting, free: Math.max(0, total - used - resting) }] as const;
    }),
  );
  const { vnis, ...prefixes }: Partial<Record<ClassPool, ClassPoolUsage>> =
    Object.fromEntries(counted);
  return {
    ...(Object.keys(prefixes).length > 0 && { prefix_pools: prefixes }),
    ...(vnis && { vnis }),
  };
}
