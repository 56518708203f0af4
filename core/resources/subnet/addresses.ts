import { addressAt, type Family, familyOf, sizeOf } from "../../kernel/input/prefix.ts";
import { prefixMembers } from "../virtual-network/prefixes.ts";
import type { SubnetSpec } from "./model.ts";

/**
 * The addresses of a subnet's prefixes: the network's own, the gateway, two for DHCP, then its members', and in
 * IPv4 the broadcast address. Pure: everything follows from the prefix.
 */

const places = { gateway: 1, firstDhcp: 2, lastDhcp: 3, firstMember: 4 } as const;

/** How many addresses at the end of a prefix no member gets. */
const keptAtEnd: Record<Family, number> = { ipv4: 1, ipv6: 0 };

export interface PrefixPlan {
  cidr: string;
  gateway: string;
  /** The addresses that a DHCP server takes for itself. */
  dhcp: { first: string; last: string };
}

export const prefixPlan = (cidr: string): PrefixPlan => ({
  cidr,
  gateway: addressAt(cidr, places.gateway),
  dhcp: { first: addressAt(cidr, places.firstDhcp), last: addressAt(cidr, places.lastDhcp) },
});

/** The plans of a subnet's prefixes, IPv4 first. */
export const plansOf = (spec: Pick<SubnetSpec, "ipv4_cidr" | "ipv6_cidr">): PrefixPlan[] =>
  prefixMembers.flatMap((member) => {
    const cidr = spec[member];
    return cidr === undefined ? [] : [prefixPlan(cidr)];
  });

/** How many addresses the members of a prefix can have. */
export const roomIn = (cidr: string): number =>
  sizeOf(cidr) - places.firstMember - keptAtEnd[familyOf(cidr)];
