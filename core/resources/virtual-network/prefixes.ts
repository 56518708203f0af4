import type { Violation } from "../../error.ts";
import { type Family, familyOf, lengthOf, overlap } from "../../prefix.ts";
import type { NetworkClassSpec } from "../network-class/model.ts";
import {
  familyNames,
  type Lengths,
  neverPrefixes,
  publicFault,
} from "../network-class/prefix-rules.ts";

/** The prefixes that networks and subnets may have. Pure. */

export interface Prefixes {
  ipv4_cidr?: string;
  ipv6_cidr?: string;
}

export const prefixMembers = ["ipv4_cidr", "ipv6_cidr"] as const;
export type PrefixMember = (typeof prefixMembers)[number];

export const familyOfMember: Record<PrefixMember, Family> = {
  ipv4_cidr: "ipv4",
  ipv6_cidr: "ipv6",
};

/** The prefixes that a spec gives; adds a violation where it gives none. */
export function prefixesIn({ ipv4_cidr, ipv6_cidr }: Given, violations: Violation[]): Prefixes {
  if (!ipv4_cidr && !ipv6_cidr)
    violations.push({ field: "spec", message: "needs ipv4_cidr or ipv6_cidr, or both" });
  return { ...(ipv4_cidr && { ipv4_cidr }), ...(ipv6_cidr && { ipv6_cidr }) };
}
type Given = { [M in PrefixMember]?: string | undefined };

/** A subnet keeps some addresses for itself, so a smaller one would have none for its members. */
export const subnetLengths: Lengths = {
  ipv4: { least: 8, most: 28 },
  ipv6: { least: 48, most: 120 },
};

/** Adds the faults of prefixes that stand for themselves: family, length, reserved and public ones. */
export function refusePrefixes(
  given: Prefixes,
  { reserved = [], allows_public }: Pick<NetworkClassSpec, "reserved" | "allows_public">,
  lengths: Lengths,
  violations: Violation[],
): void {
  for (const member of prefixMembers) {
    const cidr = given[member];
    if (cidr === undefined) continue;
    const family = familyOfMember[member];
    const refuse = (message: string) => violations.push({ field: `spec.${member}`, message });
    if (familyOf(cidr) !== family) {
      refuse(`must be an ${familyNames[family]} prefix, and ${cidr} is none`);
      continue;
    }
    const { least, most } = lengths[family];
    const length = lengthOf(cidr);
    if (length < least)
      refuse(`is too large: the longest prefix is /${least}, and this is /${length}`);
    if (length > most)
      refuse(`is too small: the shortest prefix is /${most}, and this is /${length}`);
    const never = neverPrefixes.find((other) => overlap(cidr, other));
    const kept = reserved.find((other) => overlap(cidr, other));
    if (never) refuse(`must not overlap ${never}, which is reserved`);
    else if (kept) refuse(`must not overlap ${kept}, which the provider keeps for itself`);
    else {
      const fault = publicFault(cidr, allows_public);
      if (fault !== undefined) refuse(fault);
    }
  }
}
