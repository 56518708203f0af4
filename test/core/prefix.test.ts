import { describe, expect, it } from "vitest";
import {
  addressAt,
  freePart,
  isWithin,
  lengthOf,
  overlap,
  partAt,
  partsIn,
} from "../../core/prefix.ts";

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

describe("a part by its place", () => {
  it.each([
    ["10.128.0.0/10", 16, 0, "10.128.0.0/16"],
    ["10.128.0.0/10", 16, 63, "10.191.0.0/16"],
    ["10.20.1.0/24", 24, 0, "10.20.1.0/24"],
    ["fd00::/8", 48, 2 ** 24, "fd00:100::/48"],
  ])("of %s, of length %i, at %i is %s", (cidr, length, place, part) => {
    expect(partAt(cidr, length, place)).toBe(part);
  });
});

describe("the first free part", () => {
  it.each([
    ["10.20.0.0/16", 24, [], "10.20.0.0/24"],
    ["10.20.0.0/16", 24, ["10.20.0.0/25", "10.20.2.0/23"], "10.20.1.0/24"],
    ["10.20.0.0/16", 24, ["10.20.1.128/28", "10.20.0.16/28"], "10.20.2.0/24"],
    ["10.20.0.0/23", 24, ["10.20.1.0/28"], "10.20.0.0/24"],
    ["10.20.0.0/23", 24, ["10.20.1.0/28", "10.20.0.0/24"], undefined],
    ["10.20.0.0/24", 24, ["10.20.0.0/24"], undefined],
    ["fd00:20::/48", 64, ["fd00:20::/64", "10.0.0.0/8"], "fd00:20:0:1::/64"],
    ["fd00:20::/48", 64, ["fd00:20::/49"], "fd00:20:0:8000::/64"],
  ])("of %s, of length %i, beside %j is %s", (cidr, length, taken, part) => {
    expect(freePart(cidr, length, taken)).toBe(part);
  });

  it("is the first of all parts that overlaps none, whatever is taken", () => {
    const whole = "10.20.0.0/24";
    for (let n = 0; n < 300; n++) {
      const next = (place: number) => (n * 7919 + place * 104729) % 64;
      const taken: string[] = [];
      for (let place = 0; place < n % 9; place++) {
        const each = partAt(whole, 28 + (place % 3), next(place) % 16);
        if (!taken.some((other) => overlap(other, each))) taken.push(each);
      }
      const length = 25 + (n % 5);
      const parts = Array.from({ length: partsIn(whole, length) }, (_, place) =>
        partAt(whole, length, place),
      );
      const first = parts.find((part) => !taken.some((other) => overlap(other, part)));
      expect(freePart(whole, length, taken), taken.join(" ")).toBe(first);
    }
  });
});
