import { outsidePrefixesAt, poolsIn } from "../../at-site/outside-prefixes.ts";
import { type Own, ownOfMachines, ownPrefixes } from "../../at-site/own-prefixes.ts";
import { sitesSeen } from "../../at-site/registered.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import { overlap } from "../../prefix.ts";
import type { NetworkClassSpec } from "./model.ts";
import type { KeptPrefix } from "./prefix-rules.ts";

/**
 * What no network of a class may have since a site has it for itself: members could not tell what is meant by such an
 * address. Networks on a hub lead nowhere, so that these may have any.
 */
export interface Kept extends KeptPrefix {
  /** In words, for the provider. */
  what: string;
}

type Placed = Pick<NetworkClassSpec, "implementation_strategy" | "site">;

/** What a class cannot have: of its site, or in an overlay, whose ends are anywhere, of the machines at any. */
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
  const [sites, pools] = await Promise.all([sitesSeen(records), keptByPools(records, undefined)]);
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

/** What is wrong with a prefix of the provider's for networks; undefined where nothing else has it. */
export function keptFault(cidr: string, kept: readonly Kept[]): string | undefined {
  const found = kept.find(({ cidrs }) => cidrs.some((each) => overlap(each, cidr)));
  return found && `must not overlap ${found.what}`;
}
