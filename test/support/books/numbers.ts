import { numberOf } from "../../../core/ipv4.ts";
import {
  foreignNumberPartition,
  numberKey,
  numbersKey,
  restingPartition,
} from "../../../core/kernel/object/keys.ts";
import type { SiteRecord } from "../../../core/resources/site/at-site.ts";
import { type PoolUse, poolName, poolUses } from "../../../core/resources/site/model.ts";
import type { Check } from "./check.ts";
import { type Claim, wrongInClaims } from "./claims.ts";
import type { SiteBooks } from "./site.ts";
import { Sums } from "./sums.ts";

/** How each pool's numbers are held. */
const numbersOf: Record<PoolUse, (site: SiteRecord) => number[]> = {
  vlans: ({ vlan }) => (vlan === undefined ? [] : [vlan]),
  prefixes: ({ network }) => (network ? [network.number] : []),
  floating_ips: ({ floating_ips: ips }) => (ips ? [numberOf(ips.api), numberOf(ips.ingress)] : []),
};

/** Of a pool; its item also says how often it was defined anew. */
const counters = ["used", "next", "resting"];

/** Each number has one holder, who says so, and the pool's counters are their sums. */
export const numbers: Check<SiteBooks> = {
  of: ["number", "numbers", "outside", "resting"],
  wrong({ table, sited }) {
    const wrong: string[] = [];
    const sums = new Sums();
    const held: Claim[] = [];
    for (const { id } of table.objects("site")) {
      for (const use of poolUses) {
        const pool = poolName(id, use);
        const own = sited.flatMap(({ id: holder, site }) =>
          (site?.id === id ? numbersOf[use](site) : []).map((number) => ({ number, holder })),
        );
        const foreign = table
          .items("outside")
          .filter(({ pk }) => pk === foreignNumberPartition(pool))
          .map((item) => ({ number: Number(item.number), holder: String(item.cluster) }));
        const all = [...own, ...foreign];
        if (new Set(all.map(({ number }) => number)).size !== all.length)
          wrong.push(`a number of ${pool} is held twice`);
        for (const { number, holder: owner } of all)
          held.push({ holder: owner, item: { ...numberKey(pool, number), owner } });
        const resting = table.items("resting").filter(({ pk }) => pk === restingPartition(pool));
        sums.add(numbersKey(pool), "used", all.length);
        sums.add(numbersKey(pool), "resting", resting.length);
        sums.add(numbersKey(pool), "next", all.length + resting.length);
      }
    }
    return [
      ...wrong,
      ...wrongInClaims(table, ["number"], held),
      ...sums.wrongIn(table, ["numbers"], (name) => counters.includes(name)),
    ];
  },
};
