import { expect, it } from "vitest";
import {
  addressWith,
  numberWith,
  totalOf,
} from "../../../../core/resources/external-ip-pool/numbers.ts";

const cidrs = ["203.0.113.80/30", "198.51.100.0/31"];

it("counts the addresses of all prefixes, one after another", () => {
  expect(totalOf(cidrs)).toBe(6);
  const addresses = Array.from({ length: 6 }, (_, n) => addressWith(cidrs, n));
  expect(addresses).toEqual([
    ...["203.0.113.80", "203.0.113.81", "203.0.113.82", "203.0.113.83"],
    ...["198.51.100.0", "198.51.100.1"],
  ]);
  expect(addresses.map((address) => numberWith(cidrs, address))).toEqual([0, 1, 2, 3, 4, 5]);
  expect(() => addressWith(cidrs, 6)).toThrow(RangeError);
});

it("knows no number of an address that is elsewhere, or of the other family", () => {
  for (const address of ["203.0.113.79", "203.0.113.84", "198.51.100.2", "2001:db8::1"])
    expect(numberWith(cidrs, address)).toBeUndefined();
});

it("counts addresses of IPv6", () => {
  const v6 = ["2001:db8::/126", "2001:db8:1::10/127"];
  expect(totalOf(v6)).toBe(6);
  expect(addressWith(v6, 5)).toBe("2001:db8:1::11");
  expect(numberWith(v6, "2001:db8:1::11")).toBe(5);
});
