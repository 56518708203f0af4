import type { PrefixPlan } from "../../ports/network/network.ts";
import { addressAt, placeIn, prefixSize } from "../../prefix.ts";
import { prefixMembers } from "../virtual-network/prefixes.ts";
import type { SubnetSpec } from "./model.ts";

/**
 * The layout of a subnet's prefixes: the network address, the gateway, two addresses for DHCP, then the members', and
 * in IPv4 the broadcast address. Pure: it follows from the prefix.
 */

export const places = { gateway: 1, firstDhcp: 2, lastDhcp: 3, firstMember: 4 } as const;

/**
 * How many addresses of an IPv4 prefix cannot belong to members: those before the first member's, and the broadcast
 * address.
 */
export const notForMembers = places.firstMember + 1;

const prefixPlan = (cidr: string): PrefixPlan => ({
  cidr,
  gateway: addressAt(cidr, places.gateway),
  dhcp: { first: addressAt(cidr, places.firstDhcp), last: addressAt(cidr, places.lastDhcp) },
});

type Prefixes = Pick<SubnetSpec, "ipv4_cidr" | "ipv6_cidr">;

/**
 * The IPv6 address of a member of an overlay's subnet: at the same place in its prefix as this IPv4 address. Undefined
 * for a subnet of one family.
 */
export function sixOf({ ipv4_cidr, ipv6_cidr }: Prefixes, address: string): string | undefined {
  const place = ipv4_cidr === undefined ? undefined : placeIn(ipv4_cidr, address);
  return ipv6_cidr === undefined || place === undefined ? undefined : addressAt(ipv6_cidr, place);
}

/** Whether the IPv6 prefix of a subnet has a place for each address of its IPv4 prefix; true for one family. */
export const hasPlaces = ({ ipv4_cidr, ipv6_cidr }: Prefixes): boolean =>
  ipv4_cidr === undefined ||
  ipv6_cidr === undefined ||
  prefixSize(ipv6_cidr) >= prefixSize(ipv4_cidr);

/** The layout of each prefix of a subnet, IPv4 first. */
export const plansOf = (spec: Prefixes): PrefixPlan[] =>
  prefixMembers.flatMap((member) => {
    const cidr = spec[member];
    return cidr === undefined ? [] : [prefixPlan(cidr)];
  });
