import { minutes } from "../clock.ts";
import { AppError } from "../error.ts";
import { addressOf, numberOf, prefixAt } from "../ipv4.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Ipam, NumberPool, PoolDefinition, Survey, Usage } from "../ports/ipam/ipam.ts";
import { lastUsage, netboxDefinition } from "../ports/ipam/netbox/pool-usage.ts";
import { ownIpam } from "../ports/ipam/own/own.ts";
import { lengthOf } from "../prefix.ts";
import { type PoolUse, poolName, type Site, type SiteNetwork } from "./site.ts";

/** A site's pools of numbers for orders. */

/** The name of each pool in messages of waiting orders. */
export const uses: Record<PoolUse, string> = {
  vlans: "VLAN ids (layer 2 networks of clusters)",
  prefixes: "prefixes (layer 3 networks of clusters)",
  floating_ips: "floating IPs (API and ingress of clusters)",
};

const ranges: Record<PoolUse, (network: SiteNetwork) => { first: number; size: number }> = {
  vlans: ({ vlans }) => ({ first: vlans.first, size: vlans.last - vlans.first + 1 }),
  prefixes: ({ prefixes }) => ({
    first: 0,
    size: 2 ** (prefixes.length - lengthOf(prefixes.cidr)),
  }),
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

/** A number of each pool as text. */
export const written: Record<PoolUse, (network: SiteNetwork, number: number) => string> = {
  vlans: (_, vlan) => String(vlan),
  prefixes: ({ prefixes: { cidr, length } }, number) => prefixAt(cidr, length, number),
  floating_ips: (_, number) => addressOf(number),
};

export type Pools = Record<PoolUse, NumberPool>;

export const poolsOf = (site: Pick<Site, "id">, network: SiteNetwork): Pools => ({
  vlans: poolOf(site, network, "vlans"),
  prefixes: poolOf(site, network, "prefixes"),
  floating_ips: poolOf(site, network, "floating_ips"),
});

type NumberDeps = Pick<Deps, "store" | "kinds" | "clock" | "log">;

/** A system at a site that mirrors its numbers, or also allocates them. */
export interface Allocator {
  ipam(deps: NumberDeps, pools: Pools, network: SiteNetwork): Ipam;
  /** The requirements of these pools that the system does not meet, in words. */
  lacks(pools: Pools, network: SiteNetwork): Promise<string[]>;
}

/** The pools of a site, and the allocator of their numbers. */
export interface SiteNumbers {
  ipam: Ipam;
  pools: Pools;
}

/**
 * Undefined for a site without networks for orders. A site with an external allocator needs `allocator`, which
 * only processes that reach the site have; others use `knownNumbersOf`.
 */
export function numbersOf(
  deps: NumberDeps,
  site: Pick<Site, "id" | "spec">,
  allocator?: Allocator,
): SiteNumbers | undefined {
  const { network } = site.spec;
  if (!network) return undefined;
  const pools = poolsOf(site, network);
  if (!site.spec.allocator) return { ipam: ownIpam(deps), pools };
  if (allocator) return { ipam: allocator.ipam(deps, pools, network), pools };
  const detail = `no way to the allocator of site ${site.id} from here`;
  throw new AppError("Internal", "internal error", { detail });
}

/** The numbers of a site's pools in Slipway's own store, whatever system allocates them. */
export interface KnownNumbers extends PoolDefinition {
  pools: Pools;
  /** The usage of a pool; undefined before its allocator has reported it. */
  usage(pool: NumberPool): Promise<Usage | undefined>;
  survey(pool: NumberPool): Promise<Survey | undefined>;
}

/** Undefined for a site without networks for orders. */
export function knownNumbersOf(
  deps: NumberDeps,
  site: Pick<Site, "id" | "spec">,
): KnownNumbers | undefined {
  const { network, allocator } = site.spec;
  if (!network) return undefined;
  const pools = poolsOf(site, network);
  if (allocator?.given_out_by !== "netbox") return { ...ownIpam(deps), pools };
  const seen = (pool: NumberPool) => lastUsage(deps, pool);
  return { ...netboxDefinition(deps), usage: seen, survey: seen, pools };
}

/** The used share at which a pool is low. */
export const lowFrom = 0.8;
