import { timestamp } from "../../../clock.ts";
import type { Deps } from "../../../kernel/deps.ts";
import {
  foreignNumberPartition,
  numbersKey,
  restingPartition,
} from "../../../kernel/object/number-keys.ts";
import { pagesIn } from "../../../kernel/store/pages.ts";
import { absent, eq, type Query, type Store } from "../../../kernel/store/store.ts";
import type { Ipam } from "../ipam.ts";
import { counters } from "./counters.ts";
import { holdForeign, releaseForeign } from "./foreign-numbers.ts";
import type { WithJournal } from "./journal.ts";
import { claimNumbers, releaseNumbers, usageOf } from "./numbers.ts";

/**
 * The adapter for Slipway's own table, which claims and releases numbers in the transaction that writes the
 * holder's record.
 */
export function ownIpam(deps: Pick<Deps, "store" | "kinds" | "clock" | "log"> & WithJournal): Ipam {
  const { store, clock } = deps;
  return {
    claim: (pool, holder, wanted) => claimNumbers(deps, pool, holder, wanted),
    release: (pool, holder, conditions) => releaseNumbers(deps, pool, holder, conditions),
    usage: (pool) => usageOf(deps, pool),
    async survey(pool) {
      // A number whose rest is over does not count as resting, even if nobody has claimed it since.
      const from = `${timestamp(clock.now())}#~`;
      const [{ used, size }, resting, foreign] = await Promise.all([
        usageOf(deps, pool),
        count(store, { pk: restingPartition(pool.name), range: { from } }),
        count(store, { pk: foreignNumberPartition(pool.name) }),
      ]);
      return { used, resting, size, foreign };
    },
    wasUsed: async (pool) => counters(await store.get(numbersKey(pool.name))).next > 0,
    async redefine(pool) {
      const key = numbersKey(pool.name);
      const redefined = { redefined: 1 };
      return (await store.get(key))
        ? [{ update: key, add: redefined, if: eq("next", 0) }]
        : [{ put: { ...key, used: 0, next: 0, resting: 0, ...redefined }, if: absent }];
    },
    async hold(pool, foreign, fence) {
      for (const [number, holder] of foreign) await holdForeign(deps, pool, number, holder);
      await releaseForeign(deps, pool, new Set(foreign.keys()), fence);
    },
  };
}

async function count(store: Store, query: Query): Promise<number> {
  let found = 0;
  for await (const items of pagesIn(store, query)) found += items.length;
  return found;
}
