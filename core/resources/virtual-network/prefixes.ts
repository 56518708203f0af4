import type { Violation } from "../../error.ts";
import type { Family } from "../../prefix.ts";
import {
  type Lengths,
  type PrefixSettings,
  prefixFaultsOf,
} from "../network-class/prefix-rules.ts";

/** The prefixes that networks and subnets may have. Pure. */

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

/** Whether a request names prefixes, even if the schema has refused and left out what it names. */
export const namesPrefixes = (given: Given, violations: readonly Violation[]): boolean =>
  prefixMembers.some(
    (member) => given[member] || violations.some(({ field }) => field === `spec.${member}`),
  );

/** The prefixes that a spec gives; adds a violation where it names none. */
export function prefixesIn(given: Given, violations: Violation[]): NetworkPrefixes {
  if (!namesPrefixes(given, violations))
    violations.push({ field: "spec", message: "needs ipv4_cidr or ipv6_cidr, or both" });
  const { ipv4_cidr, ipv6_cidr } = given;
  return { ...(ipv4_cidr && { ipv4_cidr }), ...(ipv6_cidr && { ipv6_cidr }) };
}
type Given = { [M in PrefixMember]?: string | undefined };

/** Adds the faults of prefixes that stand for themselves: family, length, reserved and public ones. */
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
