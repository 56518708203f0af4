import ipaddr from "ipaddr.js";
import { numberOf } from "../ipv4.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Orphan } from "../ports/orphan.ts";
import { type PoolUse, poolUses, type SiteNetwork } from "../resources/site/model.ts";
import { numberOfPrefix } from "../resources/site/network.ts";
import { numbersOf } from "../resources/site/pools.ts";
import type { SiteSystems } from "../resources/site/sites.ts";
import type { Recorded } from "./orphans.ts";

/**
 * Holds the VLAN ids, prefixes and addresses of orphans: an order that got one would collide with
 * the orphan at the site. A restored table learns of them in this way.
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
        const number = numbered[use](network, orphan);
        return number === undefined ? [] : [[number, orphan.owner.id]];
      }),
    );
    await own.ipam.hold(own.pools[use], found, fence);
  }
}

type Numbered = (network: SiteNetwork, orphan: Orphan) => number | undefined;

/** The number of each pool that an object uses. */
const numbered: Record<PoolUse, Numbered> = {
  vlans: (_, { kind, number }) =>
    kind === "network" && number !== undefined ? Number(number) : undefined,
  prefixes: (network, { kind, number = "" }) =>
    kind === "subnet" && ipaddr.IPv4.isValidCIDR(number)
      ? numberOfPrefix(network, number)
      : undefined,
  floating_ips: (_, { kind, number = "" }) =>
    kind === "floating_ip" && ipaddr.IPv4.isValid(number) ? numberOf(number) : undefined,
};
