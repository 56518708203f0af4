import { minutes } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Ipam, NumberPool } from "../../ports/ipam/ipam.ts";
import { ownIpam } from "../../ports/ipam/own/own.ts";
import { bitsOf, numberOf, type PoolUse, poolName, type Site, type SiteNetwork } from "./model.ts";

/** The numbers that a site has for its orders. */

/** What each is for; for people who read what an order waits for. */
export const uses: Record<PoolUse, string> = {
  vlans: "VLAN ids (layer 2 networks of clusters)",
  prefixes: "prefixes (layer 3 networks of clusters)",
  floating_ips: "floating IPs (API and ingress of clusters)",
};

const ranges: Record<PoolUse, (network: SiteNetwork) => { first: number; size: number }> = {
  vlans: ({ vlans }) => ({ first: vlans.first, size: vlans.last - vlans.first + 1 }),
  prefixes: ({ prefixes }) => ({ first: 0, size: 2 ** (prefixes.length - bitsOf(prefixes.cidr)) }),
  floating_ips: ({ floating_ips: { first, last } }) => ({
    first: numberOf(first),
    size: numberOf(last) - numberOf(first) + 1,
  }),
};

export const poolOf = (site: Pick<Site, "id">, network: SiteNetwork, use: PoolUse): NumberPool => ({
  name: poolName(site.id, use),
  ...ranges[use](network),
  rest: minutes(network.rest_minutes),
});

/** The pools of a site, and who gives their numbers out. */
export interface SiteNumbers {
  ipam: Ipam;
  pools: Record<PoolUse, NumberPool>;
}

/**
 * Undefined for a site where orders get no networks. The numbers of every site are Slipway's own to
 * give; a site that has another allocator would say so in its spec, and get the adapter here.
 */
export function numbersOf(
  deps: Pick<Deps, "store" | "kinds" | "clock" | "log">,
  site: Pick<Site, "id" | "spec">,
): SiteNumbers | undefined {
  const { network } = site.spec;
  if (!network) return undefined;
  const of = (use: PoolUse) => poolOf(site, network, use);
  return {
    ipam: ownIpam(deps),
    pools: {
      vlans: of("vlans"),
      prefixes: of("prefixes"),
      floating_ips: of("floating_ips"),
    },
  };
}

/** With this share of a pool in use, or more, the provider is told. */
export const lowFrom = 0.8;
