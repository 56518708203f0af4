import { joinPrefixes } from "../../ports/network/ovn-kubernetes/join-prefixes.ts";
import {
  addressFamily,
  type Family,
  isWithin,
  lengthOf,
  overlap,
  reservedFault,
} from "../../prefix.ts";
import type { NetworkClassSpec } from "./model.ts";

/** The rules for prefixes of networks, whoever names them. Pure. */

export const familyNames: Record<Family, string> = { ipv4: "IPv4", ipv6: "IPv6" };

/**
 * Prefixes for private use (RFC 1918, RFC 6598, RFC 4193): others may use the same ones, and they are not routed on
 * the Internet.
 */
const privatePrefixes = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "fc00::/7",
];

/** The shortest and the longest length of a prefix, in bits. */
export interface Lengths {
  ipv4: { least: number; most: number };
  ipv6: { least: number; most: number };
}
export const networkLengths: Lengths = {
  ipv4: { least: 8, most: 28 },
  ipv6: { least: 20, most: 120 },
};

/** A subnet reserves some addresses, so a smaller one would have none for members. */
export const subnetLengths: Lengths = {
  ipv4: { least: 8, most: 28 },
  ipv6: { least: 48, most: 120 },
};

/** The prefixes of a site's own use, and their text in the site's spec. */
export interface KeptPrefix {
  text: string;
  cidrs: readonly string[];
}

export interface PrefixSettings
  extends Partial<
    Pick<NetworkClassSpec, "reserved" | "allows_public" | "implementation_strategy">
  > {
  kept?: readonly KeptPrefix[];
}

/**
 * The reason why a prefix is impossible for any network of any class; undefined if it is possible.
 */
export function neverFault(
  cidr: string,
  { implementation_strategy }: PrefixSettings = {},
): string | undefined {
  const never = reservedFault(cidr);
  if (never !== undefined) return never;
  if (implementation_strategy !== "hub") return undefined;
  const own = joinPrefixes.find((other) => overlap(cidr, other));
  return own && `must not overlap ${own}, which OVN-Kubernetes uses within each network`;
}

/** The faults of a prefix by itself: its family, its length, or that it is reserved or public. */
export function prefixFaultsOf(
  cidr: string,
  family: Family,
  settings: PrefixSettings,
  lengths: Lengths,
): string[] {
  if (addressFamily(cidr) !== family)
    return [`must be an ${familyNames[family]} prefix, and ${cidr} is none`];
  const faults: string[] = [];
  const { least, most } = lengths[family];
  const length = lengthOf(cidr);
  if (length < least)
    faults.push(`is too large: the shortest prefix is /${least}, and this is /${length}`);
  if (length > most)
    faults.push(`is too small: the longest prefix is /${most}, and this is /${length}`);
  const { reserved = [], allows_public, kept: own = [] } = settings;
  const never = neverFault(cidr, settings);
  const kept =
    reserved.find((other) => overlap(cidr, other)) ??
    own.find(({ cidrs }) => cidrs.some((other) => overlap(cidr, other)))?.text;
  const isPublic = publicFault(cidr, allows_public);
  if (never !== undefined) faults.push(never);
  else if (kept) faults.push(`must not overlap ${kept}, which the provider keeps for itself`);
  else if (isPublic !== undefined) faults.push(isPublic);
  return faults;
}

/** The fault of a public prefix for a class that allows only private ones. */
export const publicFault = (cidr: string, allowsPublic: boolean | undefined): string | undefined =>
  allowsPublic || privatePrefixes.some((whole) => isWithin(whole, cidr))
    ? undefined
    : `must be a private prefix, such as one in ${addressFamily(cidr) === "ipv4" ? "10.0.0.0/8" : "fd00::/8"}`;
