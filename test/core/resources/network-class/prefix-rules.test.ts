import { expect, it } from "vitest";
import type { Family } from "../../../../core/prefix.ts";
import {
  networkLengths,
  neverFault,
  type PrefixSettings,
  prefixFaultsOf,
  publicFault,
  subnetLengths,
} from "../../../../core/resources/network-class/prefix-rules.ts";

/** The rules for a network's prefix by itself. */

const tooLarge = (least: number, is: number) =>
  `is too large: the shortest prefix is /${least}, and this is /${is}`;
const tooSmall = (most: number, is: number) =>
  `is too small: the longest prefix is /${most}, and this is /${is}`;
const keeps = (cidr: string) => `must not overlap ${cidr}, which the provider keeps for itself`;
const isPrivate = (one: string) => `must be a private prefix, such as one in ${one}`;
const kept = [
  { text: "10.9.0.1 to 10.9.0.9", cidrs: ["10.8.0.0/32", "10.9.0.0/28"] },
  { text: "10.7.0.0/16", cidrs: ["10.7.0.0/16"] },
];

it.each<[string, Family, PrefixSettings, string[]]>([
  ["10.20.0.0/16", "ipv4", {}, []],
  ["10.0.0.0/8", "ipv4", {}, []],
  ["10.20.0.0/28", "ipv4", {}, []],
  ["10.20.0.0/29", "ipv4", {}, [tooSmall(28, 29)]],
  ["10.0.0.0/7", "ipv4", {}, [tooLarge(8, 7), isPrivate("10.0.0.0/8")]],
  ["fd00::/20", "ipv6", {}, []],
  ["fd00::/19", "ipv6", {}, [tooLarge(20, 19)]],
  ["fd00::/120", "ipv6", {}, []],
  ["fd00::/121", "ipv6", {}, [tooSmall(120, 121)]],
  ["fd00::/64", "ipv4", {}, ["must be an IPv4 prefix, and fd00::/64 is none"]],
  ["10.0.0.0/16", "ipv6", {}, ["must be an IPv6 prefix, and 10.0.0.0/16 is none"]],
  ["8.8.8.0/24", "ipv4", {}, [isPrivate("10.0.0.0/8")]],
  ["2001:4860::/48", "ipv6", {}, [isPrivate("fd00::/8")]],
  ["8.8.8.0/24", "ipv4", { allows_public: true }, []],
  ["8.8.8.0/24", "ipv4", { allows_public: false }, [isPrivate("10.0.0.0/8")]],
  ["10.40.1.0/24", "ipv4", { reserved: ["10.30.0.0/16", "10.40.0.0/16"] }, [keeps("10.40.0.0/16")]],
  ["10.41.1.0/24", "ipv4", { reserved: ["10.30.0.0/16", "10.40.0.0/16"] }, []],
  ["10.9.0.0/24", "ipv4", { kept }, [keeps("10.9.0.1 to 10.9.0.9")]],
  ["10.9.1.0/24", "ipv4", { kept }, []],
  ["10.0.0.0/8", "ipv4", { kept, reserved: ["10.7.0.0/16"] }, [keeps("10.7.0.0/16")]],
  ["10.0.0.0/8", "ipv4", { reserved: ["10.3.0.0/16", "10.4.0.0/16"] }, [keeps("10.3.0.0/16")]],
  ["10.0.0.0/8", "ipv4", { kept }, [keeps("10.9.0.1 to 10.9.0.9")]],
  ["8.8.8.0/24", "ipv4", { reserved: ["8.8.8.0/28"] }, [keeps("8.8.8.0/28")]],
  [
    "127.0.0.0/16",
    "ipv4",
    { reserved: ["127.0.0.0/8"] },
    [expect.stringMatching(/127\.0\.0\.0\/8, which is reserved/)],
  ],
])("%s as a network's %s with %j", (cidr, family, settings, faults) => {
  expect(prefixFaultsOf(cidr, family, settings, networkLengths)).toEqual(faults);
});

it("a subnet's IPv6 prefix has 48 bits or more", () => {
  expect(prefixFaultsOf("fd00::/47", "ipv6", {}, subnetLengths)).toEqual([tooLarge(48, 47)]);
  expect(prefixFaultsOf("fd00::/48", "ipv6", {}, subnetLengths)).toEqual([]);
});

const within = (own: string) =>
  `must not overlap ${own}, which OVN-Kubernetes uses within each network`;

it.each<[string, PrefixSettings | undefined, string | undefined]>([
  ["10.0.0.0/16", undefined, undefined],
  ["100.65.0.0/16", undefined, undefined],
  ["100.65.0.0/16", { implementation_strategy: "fabric" }, undefined],
  ["100.64.0.0/15", { implementation_strategy: "hub" }, within("100.65.0.0/16")],
  ["100.66.0.0/16", { implementation_strategy: "hub" }, undefined],
  ["fd99::/80", { implementation_strategy: "hub" }, within("fd99::/64")],
  ["224.0.0.0/8", { implementation_strategy: "hub" }, expect.stringContaining("is reserved")],
])("%s is impossible with %j: %s", (cidr, settings, fault) => {
  expect(neverFault(cidr, settings)).toEqual(fault);
});

it.each<[string, boolean | undefined, string | undefined]>([
  ["172.16.0.0/12", undefined, undefined],
  ["172.16.0.0/11", undefined, isPrivate("10.0.0.0/8")],
  ["192.168.1.0/24", false, undefined],
  ["100.64.0.0/10", undefined, undefined],
  ["fc00::/7", undefined, undefined],
  ["fc00::/6", undefined, isPrivate("fd00::/8")],
  ["8.8.8.0/24", true, undefined],
])("%s, where public prefixes are allowed: %s", (cidr, allows, fault) => {
  expect(publicFault(cidr, allows)).toBe(fault);
});
