import { kindPartition } from "../kernel/object/keys.ts";
import { objectIn, type Records } from "../kernel/object/records.ts";
import { overlap } from "../prefix.ts";
import { outsidePrefixesAt, poolsIn } from "./outside-prefixes.ts";
import { ownPrefixes } from "./own-prefixes.ts";
import type { Site } from "./site.ts";

/**
 * Conflicts between prefixes inside clusters and a site's own prefixes. Nodes route such a prefix within the
 * cluster, so an overlap would make other nodes, name servers or API addresses unreachable. The networks of
 * machines are left out, since nodes do not contact them.
 */

export const insideMembers = ["pod_cidr", "service_cidr"] as const;
export type InsideMember = (typeof insideMembers)[number];
export type Inside = { readonly [M in InsideMember]?: string };

export interface InTheWay {
  member: InsideMember;
  /** The site's prefix, as its spec names it. */
  text: string;
}

/** A site with the prefixes of its pools. */
export interface Surveyed {
  site: Site;
  pools: ReturnType<typeof poolsIn>;
}

export const surveyed = async (
  { store }: Pick<Records, "store">,
  site: Site,
): Promise<Surveyed> => ({
  site,
  pools: poolsIn((await outsidePrefixesAt(store, site.id)).item),
});

/**
 * The site's prefixes that a cluster's prefixes overlap, the first for each. `isInSubnet`: the cluster's
 * nodes are in a tenant's subnet.
 */
export function inTheWayAt(
  { site: { spec }, pools: all }: Surveyed,
  inside: Inside,
  { isInSubnet }: { isInSubnet: boolean },
): InTheWay[] {
  const own = ownPrefixes(spec, [
    ...(isInSubnet ? [] : (["network.prefixes.cidr"] as const)),
    ...(["network.floating_ips", "network.dns_servers"] as const),
  ]);
  const pools = all.flatMap(({ cidrs }) => cidrs.map((text) => ({ text, cidrs: [text] })));
  return insideMembers.flatMap((member) => {
    const cidr = inside[member];
    const found = [...own, ...pools].find(({ cidrs }) =>
      cidrs.some((each) => cidr !== undefined && overlap(each, cidr)),
    );
    return found ? { member, text: found.text } : [];
  });
}

/** Checks only the first sites, for prefixes that could be used at any site. */
export async function firstSites({ store, kinds }: Records): Promise<Surveyed[]> {
  const { items } = await store.query({ index: "g4", pk: kindPartition("site"), limit: 50 });
  return Promise.all(items.map((item) => surveyed({ store }, objectIn<"site">(kinds, item))));
}

/** The conflicts of a cluster's prefixes at any site, for a cluster without a tenant's subnet. */
export async function inTheWayEverywhere(
  records: Records,
  inside: Inside,
): Promise<(InTheWay & { site: string })[]> {
  if (insideMembers.every((member) => inside[member] === undefined)) return [];
  const sites = (await firstSites(records)).filter(({ site }) => site.spec.network);
  const found = sites.map((each) =>
    inTheWayAt(each, inside, { isInSubnet: false }).map((way) => ({ ...way, site: each.site.id })),
  );
  return insideMembers.flatMap((member) => {
    const of = found.flatMap((all) => all.filter((each) => each.member === member).slice(0, 1));
    return of.length === sites.length ? of.slice(0, 1) : [];
  });
}
