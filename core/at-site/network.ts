import { AppError } from "../error.ts";
import { addressOf, prefixAt, prefixIndexOf, startOf } from "../ipv4.ts";
import type { NetworkPlan } from "./at-site.ts";
import type { SiteNetwork } from "./site.ts";

/** The addresses of a prefix that are not for hosts or uses: network, gateway, DHCP server, broadcast. */
const notForHosts = 4;

const sizeOf = ({ prefixes }: SiteNetwork): number => 2 ** (32 - prefixes.length);

const prefixOf = ({ prefixes: { cidr, length } }: SiteNetwork, number: number): string =>
  prefixAt(cidr, length, number);

/** A network with an inside address for each use, all derived from the position of its prefix. */
export function networkPlan<Use extends string>(
  site: SiteNetwork,
  number: number,
  uses: readonly Use[],
): NetworkPlan & Record<Use, string> {
  const start = startOf(prefixOf(site, number));
  const gateway = start + 1;
  const first = gateway + 1 + uses.length;
  const last = start + sizeOf(site) - 2;
  const inside = uses.map((use, index) => [use, addressOf(gateway + 1 + index)]);
  return {
    number,
    prefix: prefixOf(site, number),
    gateway: addressOf(gateway),
    ...(Object.fromEntries(inside) as Record<Use, string>),
    range: { first: addressOf(first), last: addressOf(last) },
    dns_servers: site.dns_servers,
  };
}

/** The position of a prefix; undefined for a prefix that no cluster of this site can get. */
export const numberOfPrefix = ({ prefixes }: SiteNetwork, prefix: string): number | undefined =>
  prefixIndexOf(prefixes.cidr, prefixes.length, prefix);

/** Throws Rejected when a prefix has too few addresses for the uses and the hosts' NICs. */
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
