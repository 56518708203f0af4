import { isDeepStrictEqual } from "node:util";
import { type SiteNumbers, written } from "../at-site/pools.ts";
import { poolUses, type Site } from "../at-site/site.ts";
import { bounds, cut } from "../bounds.ts";
import type { Deps } from "../kernel/deps.ts";
import { changeObject } from "../kernel/events/rewrite.ts";

/** The most lines that a site's status shows. */
const shown = 50;

/**
 * Writes into the site's status the numbers that its allocator shows differently from Slipway; a change of these
 * publishes an event. Repairs nothing. Throws the errors of the allocator.
 */
export async function noteDrift(
  deps: Deps,
  { id, spec: { network } }: Site,
  { ipam, pools }: SiteNumbers,
): Promise<void> {
  if (!network) return;
  const items = [];
  for (const pool of poolUses)
    for (const { number, message } of (await ipam.drift?.(pools[pool])) ?? [])
      items.push({
        ...{ pool, number: written[pool](network, number) },
        message: cut(message, bounds.line),
      });
  const allocator = ipam.drift && { drift: items.length, items: items.slice(0, shown) };
  await changeObject(deps, "site", id, (site) => {
    const { allocator: before, ...status } = site.status;
    if (isDeepStrictEqual(before, allocator)) return undefined;
    return { ...site, status: { ...status, ...(allocator && { allocator }) } };
  });
}
