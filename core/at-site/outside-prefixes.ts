import type { Violation } from "../error.ts";
import { outsidePrefixesKey } from "../kernel/object/keys.ts";
import { eq, exists, type Item, lacks, type Store, type Write } from "../kernel/store/store.ts";
import { overlap } from "../prefix.ts";
import type { Own } from "./own-prefixes.ts";

/**
 * The prefixes of a site's pools of outside addresses, in one item. The transaction that accepts a pool adds
 * its prefixes to the item. A change of the site's own addresses requires an unchanged item. So no address is
 * in two pools, or both in a pool and among the site's own.
 */

/** The limit of pools at a site, because each change of a pool reads them all. */
const poolLimit = 100;

/** The item's members that are not pools, besides its revision. */
const others = ["pk", "sk"];

export interface OutsidePrefixes {
  site: string | undefined;
  item: Item | undefined;
}

export const outsidePrefixesAt = async (
  store: Store,
  site: string | undefined,
): Promise<OutsidePrefixes> => ({ site, item: await store.get(outsidePrefixesKey(site)) });

/** The pools in a site's item, with their prefixes. */
export const poolsIn = (item: Item | undefined): { id: string; cidrs: string[] }[] =>
  Object.entries(item ?? {}).flatMap(([id, stored]) =>
    Array.isArray(stored) ? [{ id, cidrs: stored.filter((each) => typeof each === "string") }] : [],
  );

type Refuse = (message: string, n: number) => void;

/** Refuses prefixes that another pool at the site has. `pool`: the pool of these prefixes. */
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

/** Refuses prefixes that overlap the site's own addresses. */
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

/** The write that stores a pool's prefixes. It fails if another pool has changed since the item was read. */
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

/** A check for a change of the site's own addresses. It fails if a pool has changed since the item was read. */
export const noPoolSince = ({ site, item }: OutsidePrefixes): Write => ({
  update: outsidePrefixesKey(site),
  add: { revision: 1 },
  if: asRead(item),
});

/** The write that removes a pool's prefixes. */
export const releasePrefixes = (site: string | undefined, pool: string): Write => ({
  update: outsidePrefixesKey(site),
  remove: [pool],
  add: { revision: 1 },
  if: exists,
});

const asRead = (item: Item | undefined) =>
  typeof item?.revision === "number" ? eq("revision", item.revision) : lacks("revision");
