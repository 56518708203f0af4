import { expect, it } from "vitest";
import type { Violation } from "../../../../core/error.ts";
import {
  networkLengths,
  subnetLengths,
} from "../../../../core/resources/network-class/prefix-rules.ts";
import {
  type NetworkPrefixes,
  refusePrefixes,
} from "../../../../core/resources/virtual-network/prefixes.ts";

const refused = (given: NetworkPrefixes, settings = {}, lengths = networkLengths): string[] => {
  const violations: Violation[] = [];
  refusePrefixes(given, settings, lengths, violations);
  return violations.map(({ field, message }) => `${field} ${message}`);
};

it.each<[string, NetworkPrefixes, object]>([
  [
    "private prefixes of both families",
    { ipv4_cidr: "10.20.0.0/16", ipv6_cidr: "fd00:20::/48" },
    {},
  ],
  ["addresses of carriers", { ipv4_cidr: "100.64.0.0/16" }, {}],
  [
    "a public prefix where the class allows it",
    { ipv4_cidr: "198.51.100.0/24" },
    { allows_public: true },
  ],
])("takes %s", (_, given, settings) => {
  expect(refused(given, settings)).toEqual([]);
});

it.each<[string, NetworkPrefixes, object, string]>([
  [
    "a public prefix",
    { ipv4_cidr: "8.8.8.0/24" },
    {},
    "spec.ipv4_cidr must be a private prefix, such as one in 10.0.0.0/8",
  ],
  [
    "a public IPv6 prefix",
    { ipv6_cidr: "2001:db8::/32" },
    {},
    "spec.ipv6_cidr must be a private prefix, such as one in fd00::/8",
  ],
  [
    "IPv6 in place of IPv4",
    { ipv4_cidr: "fd00::/48" },
    {},
    "spec.ipv4_cidr must be an IPv4 prefix, and fd00::/48 is none",
  ],
  [
    "IPv4 in place of IPv6",
    { ipv6_cidr: "10.0.0.0/16" },
    {},
    "spec.ipv6_cidr must be an IPv6 prefix, and 10.0.0.0/16 is none",
  ],
  [
    "a prefix with hardly an address",
    { ipv4_cidr: "10.20.0.0/30" },
    {},
    "spec.ipv4_cidr is too small: the longest prefix is /28, and this is /30",
  ],
  [
    "everything",
    { ipv4_cidr: "0.0.0.0/0" },
    { allows_public: true },
    "spec.ipv4_cidr is too large: the shortest prefix is /8, and this is /0",
  ],
  [
    "the loopback",
    { ipv4_cidr: "127.0.0.0/16" },
    { allows_public: true },
    "spec.ipv4_cidr must not overlap 127.0.0.0/8, which is reserved",
  ],
  [
    "multicast",
    { ipv4_cidr: "239.0.0.0/16" },
    { allows_public: true },
    "spec.ipv4_cidr must not overlap 224.0.0.0/3, which is reserved",
  ],
  [
    "link-local",
    { ipv6_cidr: "fe80::/64" },
    { allows_public: true },
    "spec.ipv6_cidr must not overlap fe80::/10, which is reserved",
  ],
  [
    "what the provider keeps",
    { ipv4_cidr: "10.64.3.0/24" },
    { reserved: ["10.64.0.0/12"] },
    "spec.ipv4_cidr must not overlap 10.64.0.0/12, which the provider keeps for itself",
  ],
])("refuses %s", (_, given, settings, said) => {
  expect(refused(given, settings)).toContain(said);
});

it("wants subnets of IPv6 to be no larger than a site's", () => {
  expect(refused({ ipv6_cidr: "fd00::/40" }, {}, subnetLengths)).toEqual([
    "spec.ipv6_cidr is too large: the shortest prefix is /48, and this is /40",
  ]);
});
