import { outsidePrefixesAt, poolsIn } from "../../at-site/outside-prefixes.ts";
import { type Own, ownOfMachines, ownPrefixes } from "../../at-site/own-prefixes.ts";
import { sitesOf } from "../../at-site/registered.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import { overlap } from "../../prefix.ts";
import type { NetworkClassSpec } from "./model.ts";
import type { KeptPrefix } from "./prefix-rules.ts";

/**
 * A prefix that no network of a class may have, because a site uses it itself: for members, its addresses would have
 * two meanings. Networks on a hub lead nowhere, so they may have any prefix.
 */
export interface Kept extends KeptPrefix {
  /** The use of the prefix in words, for the provider. */
  what: string;
}

type Placed = Pick<NetworkClassSpec, "implementation_strategy" | "site">;

/**
 * The prefixes that networks of a class must not have: the prefixes of its site; or for an overlay,
 * whose servers can be at any site, the machines' prefixes of every site.
 */
export async function keptFrom(
  records: Records,
  { implementation_strategy: strategy, site: at }: Placed,
): Promise<Kept[]> {
  if (strategy === "hub") return [];
  if (strategy === "fabric") {
    if (at === undefined) return [];
    const [site, pools] = await Promise.all([
      load(records, "site", at.id),
      keptByPools(records, at.id),
    ]);
    return [...(site ? keptBy(site.id, ownPrefixes(site.spec)) : []), ...pools];
  }
  const [sites, pools] = await Promise.all([sitesOf(records), keptByPools(records, undefined)]);
  return [
    ...sites.flatMap(({ id, spec }) => keptBy(id, ownPrefixes(spec, ownOfMachines))),
    ...pools,
  ];
}

const keptBy = (site: string, owns: readonly Own[]): Kept[] =>
  owns.map(({ text, what, cidrs }) => ({ text, cidrs, what: `${what} of site '${site}'` }));

async function keptByPools({ store }: Records, site: string | undefined): Promise<Kept[]> {
  const { item } = await outsidePrefixesAt(store, site);
  return poolsIn(item).flatMap(({ id, cidrs }) =>
    cidrs.map((cidr) => ({ text: cidr, cidrs: [cidr], what: `${cidr} of the pool '${id}'` })),
  );
}

/** The fault of a prefix that the provider gives for networks; undefined if nothing else uses it. */
export function keptFault(cidr: string, kept: readonly Kept[]): string | undefined {
  const found = kept.find(({ cidrs }) => cidrs.some((each) => overlap(each, cidr)));
  return found && `must not overlap ${found.what}`;
}
