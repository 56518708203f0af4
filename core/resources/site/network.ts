import { AppError } from "../../error.ts";
import type { NetworkRecord } from "./at-site.ts";
import { addressOf, bitsOf, numberOf, type SiteNetwork } from "./model.ts";

/**
 * Addresses of a prefix that hosts cannot have: network, gateway, api, ingress, one for DHCP itself,
 * broadcast.
 */
const notForHosts = 6;

const sizeOf = ({ prefixes }: SiteNetwork): number => 2 ** (32 - prefixes.length);

/** The first address of the prefix: 10.64.0.9/12 also begins at 10.64.0.0. */
function firstOf({ prefixes: { cidr } }: SiteNetwork): number {
  const whole = 2 ** (32 - bitsOf(cidr));
  return Math.floor(numberOf(cidr.split("/")[0] ?? "") / whole) * whole;
}

/** The network of one cluster: everything in it follows from the number of its prefix. */
export function networkPlan(site: SiteNetwork, number: number): NetworkRecord {
  const { prefixes, dns_servers } = site;
  const size = sizeOf(site);
  const start = firstOf(site) + number * size;
  return {
    number,
    prefix: `${addressOf(start)}/${prefixes.length}`,
    gateway: addressOf(start + 1),
    api: addressOf(start + 2),
    ingress: addressOf(start + 3),
    range: { first: addressOf(start + 4), last: addressOf(start + size - 2) },
    dns_servers,
  };
}

/** The number of a prefix; undefined for a prefix that no cluster of this site would get. */
export function numberOfPrefix(network: SiteNetwork, prefix: string): number | undefined {
  const start = numberOf(prefix.split("/")[0] ?? "");
  const number = (start - firstOf(network)) / sizeOf(network);
  const isOurs = Number.isInteger(number) && number >= 0;
  return isOurs && networkPlan(network, number).prefix === prefix ? number : undefined;
}

/** Throws Rejected when a prefix has fewer addresses than the hosts have NICs. */
export function refuseTooMany({ prefixes }: SiteNetwork, nics: number): void {
  const room = 2 ** (32 - prefixes.length) - notForHosts;
  if (nics <= room) return;
  throw new AppError(
    "Rejected",
    `its hosts need ${nics} addresses, and a cluster's network has ${room} (prefixes of /${prefixes.length})`,
  );
}
