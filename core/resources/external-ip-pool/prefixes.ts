import type { Violation } from "../../error.ts";
import { addressFamily, lengthOf, overlap, reservedFault } from "../../prefix.ts";
import { type ExternalIpPoolSpec, familyOfPool } from "./model.ts";

/** The rules for prefixes of pools. Pure. */

/** The shortest lengths of a prefix, in bits: at most 65,536 addresses. */
const leastLength = { ipv4: 16, ipv6: 112 } as const;
const familyNames = { ipv4: "IPv4", ipv6: "IPv6" } as const;

/** Adds a violation for each fault of a prefix by itself. */
export function refuseFaulty(
  { ip_family, cidrs }: Pick<ExternalIpPoolSpec, "ip_family" | "cidrs">,
  violations: Violation[],
): void {
  const family = familyOfPool[ip_family];
  for (const [n, cidr] of cidrs.entries()) {
    const refuse = (message: string) => violations.push({ field: `spec.cidrs[${n}]`, message });
    if (addressFamily(cidr) !== family) {
      refuse(`must be an ${familyNames[family]} prefix, and ${cidr} is none`);
      continue;
    }
    const least = leastLength[family];
    if (lengthOf(cidr) < least)
      refuse(`is too large: the shortest prefix is /${least}, and this is /${lengthOf(cidr)}`);
    const never = reservedFault(cidr);
    if (never !== undefined) refuse(never);
    const twice = cidrs
      .slice(0, n)
      .find((other) => addressFamily(other) === family && overlap(cidr, other));
    if (twice) refuse(`${cidr} overlaps ${twice}`);
  }
}
