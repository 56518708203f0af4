import { AppError } from "../../error.ts";
import type { NetworkPlan } from "./at-site.ts";
import { addressOf, bitsOf, numberOf, type SiteNetwork } from "./model.ts";

/**
 * Addresses of a prefix that hosts cannot have, beside those of its uses: network, gateway, one for
 * DHCP itself, broadcast.
 */
const notForHosts = 4;

const sizeOf = ({ prefixes }: SiteNetwork): number => 2 ** (32 - prefixes.length);

/** The first address of the prefix: 10.64.0.9/12 also begins at 10.64.0.0. */
function firstOf({ prefixes: { cidr } }: SiteNetwork): number {
  const whole = 2 ** (32 - bitsOf(cidr));
  return Math.floor(numberOf(cidr.split("/")[0] ?? "") / whole) * whole;
}

const startOf = (site: SiteNetwork, number: number): number =>
  firstOf(site) + number * sizeOf(site);

const prefixOf = (site: SiteNetwork, number: number): string =>
  `${addressOf(startOf(site, number))}/${site.prefixes.length}`;

/**
 * A network with an inside address for each use: everything in it follows from the number of its
 * prefix.
 */
export function networkPlan<Use extends string>(
  site: SiteNetwork,
  number: number,
  uses: readonly Use[],
): NetworkPlan & Record<Use, string> {
  const gateway = startOf(site, number) + 1;
  const first = gateway + 1 + uses.length;
  const last = startOf(site, number) + sizeOf(site) - 2;
  const inside = uses.map((use, index) => [use, addressOf(gateway + 1 + index)]);
  return {
    number,
    prefix: prefixOf(site, number),
    gateway: addressOf(gateway),
    // Each use has an entry.
    ...(Object.fromEntries(inside) as Record<Use, string>),
    range: { first: addressOf(first), last: addressOf(last) },
    dns_servers: site.dns_servers,
  };
}

/** The number of a prefix; undefined for a prefix that no cluster of this site would get. */
export function numberOfPrefix(network: SiteNetwork, prefix: string): number | undefined {
  const start = numberOf(prefix.split("/")[0] ?? "");
  const number = (start - firstOf(network)) / sizeOf(network);
  const isOurs = Number.isInteger(number) && number >= 0;
  return isOurs && prefixOf(network, number) === prefix ? number : undefined;
}

/** Throws Rejected when a prefix has fewer addresses than the uses and the hosts' NICs need. */
export function refuseTooMany(
  site: SiteNetwork,
  { nics, uses }: { nics: number; uses: readonly string[] },
): void {
  const { prefixes } = site;
  const room = sizeOf(site) - notForHosts - uses.length;
  if (nics <= room) return;
  throw new AppError(
    "Rejected",
    `its hosts need ${nics} addresses, and a cluster's network has ${room} (prefixes of /${prefixes.length})`,
  );
}
