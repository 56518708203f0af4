import { minutes } from "../clock.ts";
import type { NumberPool } from "../ports/ipam/own/numbers.ts";
import {
  bitsOf,
  numberOf,
  type PoolUse,
  poolName,
  type Site,
  type SiteNetwork,
} from "../resources/site/model.ts";

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

/** With this share of a pool in use, or more, the provider is told. */
export const lowFrom = 0.8;
