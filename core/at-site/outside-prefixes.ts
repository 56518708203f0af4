import type { Violation } from "../error.ts";
import { outsidePrefixesKey } from "../kernel/object/keys.ts";
import { eq, exists, type Item, lacks, type Store, type Write } from "../kernel/store/store.ts";
import { overlap } from "../prefix.ts";
import type { Own } from "./own-prefixes.ts";

/**
 * The prefixes of the pools of outside addresses at a site, in one item: a pool is accepted in the transaction that
 * adds its prefixes there, and the site's own addresses change in one that finds the item as it was. So no address is
 * given out by two.
 */

/** The most pools at a site: all of them are read with each change of one. */
const poolLimit = 100;

/** The members of the item that are no pool, beside its revision. */
const others = ["pk", "sk"];

export interface OutsidePrefixes {
  site: string | undefined;
  item: Item | undefined;
}

export const outsidePrefixesAt = async (
  store: Store,
  site: string | undefined,
): Promise<OutsidePrefixes> => ({ site, item: await store.get(outsidePrefixesKey(site)) });

/** The pools at a site with their prefixes, as the site's item has them. */
export const poolsIn = (item: Item | undefined): { id: string; cidrs: string[] }[] =>
  Object.entries(item ?? {}).flatMap(([id, stored]) =>
    Array.isArray(stored) ? [{ id, cidrs: stored.filter((each) => typeof each === "string") }] : [],
  );

type Refuse = (message: string, n: number) => void;

/** Refuses each of these prefixes that a pool at the site has too. `pool`: the one that they are of. */
export function refuseTakenPrefixes(
  { item }: OutsidePrefixes,
  cidrs: readonly string[],
  refuse: Refuse,
  pool?: string,
): void {
  for (const [n, cidr] of cidrs.entries())
    for (const [id, text] of Object.entries(item ?? {})) {
      if (id === pool || others.includes(id) || !Array.isArray(text)) continue;
      const taken = text.find((each) => typeof each === "string" && overlap(each, cidr));
      if (taken !== undefined) refuse(`${cidr} overlaps ${taken} of the pool '${id}'`, n);
    }
}

/** Refuses each prefix that has addresses which a site has for itself. */
export function refuseOwn(
  owns: readonly Own[],
  site: string,
  cidrs: readonly string[],
  refuse: Refuse,
): void {
  for (const [n, cidr] of cidrs.entries())
    for (const { what, cidrs: these } of owns)
      if (these.some((each) => overlap(each, cidr)))
        refuse(`${cidr} overlaps ${what} of ${site}`, n);
}

/** The write that gives a pool these prefixes; refused when another pool has changed its own since. */
export function claimPrefixes(
  { site, item }: OutsidePrefixes,
  pool: string,
  cidrs: readonly string[],
  violations: Violation[],
): Write {
  const pools = Object.keys(item ?? {}).filter(
    (name) => ![...others, "revision"].includes(name) && name !== pool,
  );
  if (pools.length >= poolLimit)
    violations.push({
      field: "spec.site",
      message: `has ${poolLimit} pools, the most that it can have`,
    });
  return {
    update: outsidePrefixesKey(site),
    set: { [pool]: [...cidrs] },
    add: { revision: 1 },
    if: asRead(item),
  };
}

/** The write that notices a pool that has changed since; with it the site's own addresses change. */
export const noPoolSince = ({ site, item }: OutsidePrefixes): Write => ({
  update: outsidePrefixesKey(site),
  add: { revision: 1 },
  if: asRead(item),
});

/** The write that takes a pool's prefixes away. */
export const releasePrefixes = (site: string | undefined, pool: string): Write => ({
  update: outsidePrefixesKey(site),
  remove: [pool],
  add: { revision: 1 },
  if: exists,
});

const asRead = (item: Item | undefined) =>
  typeof item?.revision === "number" ? eq("revision", item.revision) : lacks("revision");
