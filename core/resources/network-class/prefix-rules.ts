import { type Family, familyOf, isWithin } from "../../prefix.ts";

/** What prefixes of networks may be, whoever names them. Pure. */

export const familyNames: Record<Family, string> = { ipv4: "IPv4", ipv6: "IPv6" };

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

/** The lengths that a prefix may have, in bits. */
export interface Lengths {
  ipv4: { least: number; most: number };
  ipv6: { least: number; most: number };
}
export const networkLengths: Lengths = {
  ipv4: { least: 8, most: 28 },
  ipv6: { least: 20, most: 120 },
};

/** What is wrong with a prefix that is public where only private ones may be. */
export const publicFault = (cidr: string, allowsPublic: boolean | undefined): string | undefined =>
  allowsPublic || privatePrefixes.some((whole) => isWithin(whole, cidr))
    ? undefined
    : `must be a private prefix, such as one in ${familyOf(cidr) === "ipv4" ? "10.0.0.0/8" : "fd00::/8"}`;
