import type { Violation } from "../../error.ts";
import type { Family } from "../../prefix.ts";
import {
  type Lengths,
  type PrefixSettings,
  prefixFaultsOf,
} from "../network-class/prefix-rules.ts";

/** The rules for prefixes of networks and subnets. Pure. */

export interface NetworkPrefixes {
  ipv4_cidr?: string;
  ipv6_cidr?: string;
}

export const prefixMembers = ["ipv4_cidr", "ipv6_cidr"] as const;
export type PrefixMember = (typeof prefixMembers)[number];

export const familyOfMember: Record<PrefixMember, Family> = {
  ipv4_cidr: "ipv4",
  ipv6_cidr: "ipv6",
};

/** Whether a request names prefixes, even invalid ones, which the parser drops. */
export const namesPrefixes = (given: Given, violations: readonly Violation[]): boolean =>
  prefixMembers.some(
    (member) => given[member] || violations.some(({ field }) => field === `spec.${member}`),
  );

/** The prefixes in a spec; adds a violation if there are none. */
export function prefixesIn(given: Given, violations: Violation[]): NetworkPrefixes {
  if (!namesPrefixes(given, violations))
    violations.push({ field: "spec", message: "needs ipv4_cidr or ipv6_cidr, or both" });
  const { ipv4_cidr, ipv6_cidr } = given;
  return { ...(ipv4_cidr && { ipv4_cidr }), ...(ipv6_cidr && { ipv6_cidr }) };
}
type Given = { [M in PrefixMember]?: string | undefined };

/**
 * Adds a violation for each fault of a single prefix: its family or length, or that it is reserved or public.
 */
export function refusePrefixes(
  given: NetworkPrefixes,
  settings: PrefixSettings,
  lengths: Lengths,
  violations: Violation[],
): void {
  for (const member of prefixMembers) {
    const cidr = given[member];
    if (cidr === undefined) continue;
    for (const message of prefixFaultsOf(cidr, familyOfMember[member], settings, lengths))
      violations.push({ field: `spec.${member}`, message });
  }
}
