import type { Violation } from "../../error.ts";
import { type Family, familyOf, isWithin, lengthOf, overlap } from "../../prefix.ts";
import type { NetworkClassSpec } from "../network-class/model.ts";

/** The prefixes that networks and subnets may have. Pure. */

export interface Prefixes {
  ipv4_cidr?: string;
  ipv6_cidr?: string;
}

export const prefixMembers = ["ipv4_cidr", "ipv6_cidr"] as const;
export type PrefixMember = (typeof prefixMembers)[number];

const familyOfMember: Record<PrefixMember, Family> = {
  ipv4_cidr: "ipv4",
  ipv6_cidr: "ipv6",
};
const familyNames: Record<Family, string> = { ipv4: "IPv4", ipv6: "IPv6" };

/** Private use (RFC 1918, RFC 6598, RFC 4193): others may have the same, and nobody routes them. */
const privatePrefixes = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "fc00::/7",
];

/** No network, this host, this link, documentation's benchmarks aside: multicast and reserved addresses. */
export const neverPrefixes = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/3",
  "::/8",
  "fe80::/10",
  "ff00::/8",
];

/** The prefixes that a spec gives; adds a violation where it gives none. */
export function prefixesIn({ ipv4_cidr, ipv6_cidr }: Given, violations: Violation[]): Prefixes {
  if (!ipv4_cidr && !ipv6_cidr)
    violations.push({ field: "spec", message: "needs ipv4_cidr or ipv6_cidr, or both" });
  return { ...(ipv4_cidr && { ipv4_cidr }), ...(ipv6_cidr && { ipv6_cidr }) };
}
type Given = { [M in PrefixMember]?: string | undefined };

/** The lengths that a prefix may have, in bits. */
export interface Lengths {
  ipv4: { least: number; most: number };
  ipv6: { least: number; most: number };
}
export const networkLengths: Lengths = {
  ipv4: { least: 8, most: 28 },
  ipv6: { least: 20, most: 120 },
};
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
    else if (!allows_public && !privatePrefixes.some((whole) => isWithin(whole, cidr)))
      refuse(
        `must be a private prefix, such as one in ${family === "ipv4" ? "10.0.0.0/8" : "fd00::/8"}`,
      );
  }
}
