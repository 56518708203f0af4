import { describe, expect, it } from "vitest";
import { addressAt, isWithin, lengthOf } from "../../core/prefix.ts";

describe("an address by its place", () => {
  it.each([
    ["10.20.1.0/24", 1, "10.20.1.1"],
    ["10.20.0.0/16", 65_535, "10.20.255.255"],
    ["255.255.255.240/28", 15, "255.255.255.255"],
    ["fd00:20::/48", 1, "fd00:20::1"],
    ["fd00:20::/64", 2 ** 40, "fd00:20::100:0:0"],
  ])("of %s at %i is %s", (cidr, place, address) => {
    expect(addressAt(cidr, place)).toBe(address);
  });
});

describe("a prefix within another", () => {
  it.each([
    ["10.20.0.0/16", "10.20.1.0/24", true],
    ["10.20.0.0/16", "10.20.0.0/16", true],
    ["10.20.1.0/24", "10.20.0.0/16", false],
    ["10.20.0.0/16", "10.21.0.0/24", false],
    ["fd00:20::/48", "fd00:20:0:1::/64", true],
    ["fd00:20::/48", "10.20.0.0/16", false],
  ])("%s has %s: %s", (outer, inner, is) => {
    expect(isWithin(outer, inner)).toBe(is);
  });
});

it("tells the length of both families", () => {
  expect([lengthOf("10.0.0.0/8"), lengthOf("fd00::/48")]).toEqual([8, 48]);
});
