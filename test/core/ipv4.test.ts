import { expect, it } from "vitest";
import {
  addressOf,
  numberOf,
  prefixAt,
  prefixesOf,
  prefixIndexOf,
  startOf,
} from "../../core/ipv4.ts";

it.each(["0.0.0.0", "10.64.0.1", "203.0.113.255", "255.255.255.255"])(
  "%s is the number of its bytes, and back",
  (address) => expect(addressOf(numberOf(address))).toBe(address),
);

it("finds the place of a prefix in a larger one, and the prefix of a place", () => {
  expect(prefixAt("10.64.0.9/12", 24, 257)).toBe("10.65.1.0/24");
  expect(prefixIndexOf("10.64.0.9/12", 24, "10.65.1.0/24")).toBe(257);
  expect(prefixIndexOf("10.64.0.0/12", 24, "10.65.1.0/25")).toBeUndefined();
  expect(prefixIndexOf("10.64.0.0/12", 24, "10.63.0.0/24")).toBeUndefined();
  expect(startOf("10.64.0.9/12")).toBe(numberOf("10.64.0.0"));
});

it.each([
  ["10.0.0.0", "10.0.0.255", ["10.0.0.0/24"]],
  ["10.0.0.1", "10.0.0.6", ["10.0.0.1/32", "10.0.0.2/31", "10.0.0.4/31", "10.0.0.6/32"]],
  ["255.255.255.255", "255.255.255.255", ["255.255.255.255/32"]],
  ["0.0.0.0", "255.255.255.255", ["0.0.0.0/0"]],
])("%s to %s are %o", (first, last, prefixes) => {
  expect(prefixesOf(numberOf(first), numberOf(last))).toEqual(prefixes);
});
