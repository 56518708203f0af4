import type { PrefixPlan } from "../../ports/network/network.ts";
import { addressAt } from "../../prefix.ts";
import { prefixMembers } from "../virtual-network/prefixes.ts";
import type { SubnetSpec } from "./model.ts";

/**
 * The addresses of a subnet's prefixes: the network's own, the gateway, two for DHCP, then its members', and in
 * IPv4 the broadcast address. Pure: everything follows from the prefix.
 */

export const places = { gateway: 1, firstDhcp: 2, lastDhcp: 3, firstMember: 4 } as const;

/** How many addresses of an IPv4 prefix nobody can have: those before the first member's, and the broadcast address. */
export const notForMembers = places.firstMember + 1;

const prefixPlan = (cidr: string): PrefixPlan => ({
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
