import * as z from "zod";
import { numberOfPrefix } from "../../at-site/network.ts";
import { poolOf, written } from "../../at-site/pools.ts";
import { type PoolUse, poolUses, type Site, type SiteNetwork } from "../../at-site/site.ts";
import { numberOf } from "../../ipv4.ts";
import { allocatedNumberKey, numberKey, numbersKey } from "../../kernel/object/number-keys.ts";
import { everyItem } from "../../kernel/store/pages.ts";
import type { Item, Store } from "../../kernel/store/store.ts";
import type { NumberPool } from "../../ports/ipam/ipam.ts";
import { counters } from "../../ports/ipam/own/counters.ts";
import { holdingsBy, type NumberDeps } from "./numbers.ts";
import { holdingSchema, type OwnedKind } from "./schema.ts";
import { candidateOf, ofPool, type SiteWithNetwork } from "./site-pools.ts";

/**
 * The numbers of a site's pool, in order and a page at a time: the claims of a page's numbers are read by their keys,
 * so a page costs the same for any number of numbers and pools.
 */

export const siteNumbersSchema = z.object({
  pool: z.enum(poolUses).describe("The pool of the site."),
  size: z.int().describe("Number of entries on this page."),
  total: z.int().describe("Size of the pool."),
  previous: z
    .string()
    .optional()
    .describe("The first number of the previous page; absent on the first page."),
  next: z
    .string()
    .optional()
    .describe("The first number of the next page; absent on the last page."),
  items: z.array(holdingSchema).describe("The numbers in order, each with its holder."),
});
export type OwnedSiteNumbers = z.output<typeof siteNumbersSchema>;

/** The kind of the numbers of each pool. */
export const kindOfPool: Record<PoolUse, OwnedKind> = {
  vlans: "vlan",
  prefixes: "prefix",
  floating_ips: "ip",
};

const numberIn: Record<PoolUse, (network: SiteNetwork, value: string) => number | undefined> = {
  vlans: (_, value) => Number(value),
  prefixes: (network, value) => (value.includes(":") ? undefined : numberOfPrefix(network, value)),
  floating_ips: (_, value) => (value.includes(":") ? undefined : numberOf(value)),
};

/** A page of a pool. */
export interface PoolPage {
  site: SiteWithNetwork;
  use: PoolUse;
  /** The number of pool numbers before the page. */
  skipped: number;
  limit: number;
}

/** The number of a pool's numbers before this one, given as text; undefined for a number outside of the pool. */
export function placeInPool(
  { site, network }: SiteWithNetwork,
  use: PoolUse,
  value: string,
): number | undefined {
  const { first, size } = poolOf(site, network, use);
  const place = (numberIn[use](network, value) ?? Number.NaN) - first;
  return place >= 0 && place < size ? place : undefined;
}

/** The first and the last number of a pool, as text. */
export function boundsOfPool(
  { site, network }: SiteWithNetwork,
  use: PoolUse,
): { first: string; last: string } {
  const { first, size } = poolOf(site, network, use);
  const write = (number: number) => written[use](network, number);
  return { first: write(first), last: write(first + size - 1) };
}

/** A page of a pool's numbers, each with its holder. */
export async function numbersOfSite(
  deps: NumberDeps,
  { site, use, skipped, limit }: PoolPage,
): Promise<OwnedSiteNumbers> {
  const pool = poolOf(site.site, site.network, use);
  const write = (number: number) => written[use](site.network, number);
  const size = Math.max(0, Math.min(limit, pool.size - skipped));
  const numbers = Array.from({ length: size }, (_, n) => pool.first + skipped + n);
  const items = await claimsOf(deps.store, site.site, pool, numbers);
  const claims = numbers.flatMap((number, n) =>
    candidateOf(site, use, number, ofPool[use](write(number))).map((candidate) => ({
      candidate,
      item: items[n],
    })),
  );
  const end = skipped + size;
  return {
    pool: use,
    size,
    total: pool.size,
    ...(skipped > 0 && { previous: write(pool.first + Math.max(0, skipped - limit)) }),
    ...(end < pool.size && { next: write(pool.first + end) }),
    items: await holdingsBy(deps, claims),
  };
}

/** The claims of these consecutive numbers, from where the site's allocator stores them. */
async function claimsOf(
  store: Store,
  { spec }: Site,
  pool: NumberPool,
  numbers: number[],
): Promise<(Item | undefined)[]> {
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (spec.allocator?.given_out_by === "netbox") {
    const { pk, sk: from } = allocatedNumberKey(pool.name, first);
    const range = { from, to: allocatedNumberKey(pool.name, last).sk };
    const given = await everyItem(store, { pk, range });
    const found = new Map(given.map((item) => [Number(item.number), item]));
    return numbers.map((number) => found.get(number));
  }
  // Numbers above the watermark have never been claimed.
  const { next } = counters(await store.get(numbersKey(pool.name)));
  const known = numbers.filter((number) => number < pool.first + next);
  return store.getMany(known.map((number) => numberKey(pool.name, number)));
}
