import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../../kernel/deps.ts";
import { changeObject } from "../../kernel/events/rewrite.ts";
import { load } from "../../kernel/object/records.ts";
import { isLowWith } from "../../ports/ipam/low-mark.ts";
import { ownIpam } from "../../ports/ipam/own/own.ts";
import type { ClassPool, NetworkClass } from "./model.ts";
import { classPoolsOf, poolDefinitionOf } from "./pools.ts";

type NumberDeps = Pick<Deps, "store" | "kinds" | "clock" | "log">;

/**
 * Records in the status of a class which of its pools have fewer free numbers than their low mark; a change publishes
 * an event. Counts again after each write, because a pool may have changed before the write.
 */
export async function noteLowPools(deps: NumberDeps, id: string): Promise<void> {
  let known = await load(deps, "network_class", id);
  while (known) {
    const low = await lowPools(deps, known);
    if (isDeepStrictEqual(known.status.low, low)) return;
    known = await changeObject(deps, "network_class", id, (each) => ({
      ...each,
      status: { ...each.status, low },
    }));
  }
}

/** Resting numbers become free without further action, so they count as free here. */
async function lowPools(deps: NumberDeps, networkClass: NetworkClass): Promise<ClassPool[]> {
  const ipam = ownIpam(deps);
  const found = await Promise.all(
    classPoolsOf(networkClass).map(async ({ use, pool }) => {
      const { used, size } = await ipam.usage(pool);
      const { low_mark } = poolDefinitionOf(networkClass.spec, use) ?? {};
      return isLowWith(size - used, size, low_mark) ? [use] : [];
    }),
  );
  return found.flat();
}
