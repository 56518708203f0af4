import { expect, it } from "vitest";
import { hasPlaces, plansOf, sixOf } from "../../../../core/resources/subnet/addresses.ts";

/** The addresses of a subnet follow from its prefixes. */

it("a prefix keeps its first addresses for the gateway and DHCP", () => {
  expect(plansOf({ ipv6_cidr: "fd00:20::/64", ipv4_cidr: "10.20.1.0/24" })).toEqual([
    {
      ...{ cidr: "10.20.1.0/24", gateway: "10.20.1.1" },
      dhcp: { first: "10.20.1.2", last: "10.20.1.3" },
    },
    {
      ...{ cidr: "fd00:20::/64", gateway: "fd00:20::1" },
      dhcp: { first: "fd00:20::2", last: "fd00:20::3" },
    },
  ]);
  expect(plansOf({})).toEqual([]);
});

const both = { ipv4_cidr: "10.20.1.0/24", ipv6_cidr: "fd00:20::/64" };

it.each<[object, string, string | undefined]>([
  [both, "10.20.1.4", "fd00:20::4"],
  [both, "10.20.2.4", undefined],
  [{ ipv4_cidr: "10.20.1.0/24" }, "10.20.1.4", undefined],
  [{ ipv6_cidr: "fd00:20::/64" }, "10.20.1.4", undefined],
])("in %j the IPv6 address beside %s is %s", (prefixes, address, expected) => {
  expect(sixOf(prefixes, address)).toBe(expected);
});

it.each<[object, boolean]>([
  [both, true],
  [{ ipv4_cidr: "10.20.1.0/24", ipv6_cidr: "fd00:20::/120" }, true],
  [{ ipv4_cidr: "10.20.1.0/24", ipv6_cidr: "fd00:20::/121" }, false],
  [{ ipv4_cidr: "10.20.1.0/24" }, true],
  [{ ipv6_cidr: "fd00:20::/121" }, true],
])("whether each IPv4 address of %j has an IPv6 address: %s", (prefixes, expected) => {
  expect(hasPlaces(prefixes)).toBe(expected);
});
