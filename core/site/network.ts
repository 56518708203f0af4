import { AppError } from "../error.ts";
import type { ClusterNetwork } from "../model/cluster-site.ts";
import { addressOf, bitsOf, numberOf, type SiteNetwork } from "../model/site.ts";

/** Network address, gateway, api, ingress, one for DHCP itself, broadcast: not for hosts. */
const notForHosts = 6;

/** The network of one cluster: everything in it follows from the number of its prefix. */
export function networkPlan(
  { prefixes, dns_servers }: SiteNetwork,
  number: number,
): ClusterNetwork {
  const size = 2 ** (32 - prefixes.length);
  const whole = 2 ** (32 - bitsOf(prefixes.cidr));
  // What is written as 10.64.0.9/12 begins at 10.64.0.0 all the same.
  const first = Math.floor(numberOf(prefixes.cidr.split("/")[0] ?? "") / whole) * whole;
  const start = first + number * size;
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

/** Throws Rejected when a prefix has fewer addresses than the hosts have NICs. */
export function refuseTooMany({ prefixes }: SiteNetwork, nics: number): void {
  const room = 2 ** (32 - prefixes.length) - notForHosts;
  if (nics <= room) return;
  throw new AppError(
    "Rejected",
    `its hosts need ${nics} addresses, and a cluster's network has ${room} (prefixes of /${prefixes.length})`,
  );
}
