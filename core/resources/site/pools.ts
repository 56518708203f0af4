import { minutes } from "../../clock.ts";
import { bitsOf, numberOf } from "../../ipv4.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Ipam, NumberPool } from "../../ports/ipam/ipam.ts";
import { ownIpam } from "../../ports/ipam/own/own.ts";
import { type PoolUse, poolName, type Site, type SiteNetwork } from "./model.ts";

/** The pools of numbers that a site has for its orders. */

/** The purpose of each pool, for people who read what an order waits for. */
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

/** The pools of a site, and the allocator of their numbers. */
export interface SiteNumbers {
  ipam: Ipam;
  pools: Record<PoolUse, NumberPool>;
}

/**
 * Undefined for a site where orders get no networks. Slipway allocates the numbers of every site today;
 * a site with another allocator would name it in its spec, and get its adapter here.
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

/** The share of a pool in use from which the pool counts as low. */
export const lowFrom = 0.8;
