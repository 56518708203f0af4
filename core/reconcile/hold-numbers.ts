import ipaddr from "ipaddr.js";
import { numberOfPrefix } from "../at-site/network.ts";
import { numbersOf } from "../at-site/pools.ts";
import { type PoolUse, poolUses, type SiteNetwork } from "../at-site/site.ts";
import type { SiteSystems } from "../at-site/sites.ts";
import { numberOf } from "../ipv4.ts";
import type { Deps } from "../kernel/deps.ts";
import type { OwnedFabricObject } from "../ports/fabric/fabric.ts";
import type { Orphan } from "../ports/orphan.ts";
import { noteDrift } from "./note-drift.ts";
import type { Recorded } from "./orphans.ts";

/**
 * Holds the VLAN ids, prefixes and addresses of orphans: an order with such a number would collide with the orphan at
 * the site. A restored table learns of the numbers in this way. Then compares the numbers with the site's allocator.
 */
export async function holdNumbers(
  deps: Deps,
  { site, allocator }: Pick<SiteSystems, "site" | "allocator">,
  { orphans, fence }: Recorded,
): Promise<void> {
  const { network } = site.spec;
  const own = numbersOf(deps, site, allocator);
  if (!network || !own) return;
  for (const use of poolUses) {
    const found = new Map(
      orphans.flatMap((orphan) => {
        const number = numberIn(use, network, orphan);
        return number === undefined ? [] : [[number, orphan.owner.id]];
      }),
    );
    await own.ipam.hold(own.pools[use], found, fence);
  }
  await noteDrift(deps, site, own);
}

/** The object at a fabric that uses a number of each pool, and how to read the number from it. */
const numbered: Record<
  PoolUse,
  {
    kind: OwnedFabricObject["kind"];
    number(network: SiteNetwork, text: string): number | undefined;
  }
> = {
  vlans: { kind: "network", number: (_, text) => Number(text) },
  prefixes: {
    kind: "subnet",
    number: (network, text) =>
      ipaddr.IPv4.isValidCIDR(text) ? numberOfPrefix(network, text) : undefined,
  },
  floating_ips: {
    kind: "floating_ip",
    number: (_, text) => (ipaddr.IPv4.isValid(text) ? numberOf(text) : undefined),
  },
};

/** The number of a pool that an orphan uses. */
function numberIn(use: PoolUse, network: SiteNetwork, orphan: Orphan): number | undefined {
  const { kind, number } = numbered[use];
  if (orphan.kind !== kind || orphan.number === undefined) return undefined;
  return number(network, orphan.number);
}
