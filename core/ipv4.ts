import ipaddr from "ipaddr.js";

import { lengthOf } from "./prefix.ts";

/** IPv4 addresses as numbers, and prefixes by their place in a larger one. */

export const numberOf = (address: string): number =>
  ipaddr.IPv4.parse(address)
    .toByteArray()
    .reduce((sum, byte) => sum * 256 + byte, 0);

export const addressOf = (number: number): string =>
  [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");

/** The first address of a prefix as a number; host bits are ignored, so 10.64.0.9/12 also begins at 10.64.0.0. */
export function startOf(cidr: string): number {
  const size = 2 ** (32 - lengthOf(cidr));
  return Math.floor(numberOf(cidr.split("/")[0] ?? "") / size) * size;
}

/** The prefix of this length at a place in the whole; the first has place 0. */
export const prefixAt = (whole: string, length: number, place: number): string =>
  `${addressOf(startOf(whole) + place * 2 ** (32 - length))}/${length}`;

/** The place of a prefix of this length in the whole; undefined for one that begins elsewhere. */
export function prefixIndexOf(whole: string, length: number, prefix: string): number | undefined {
  const place = (startOf(prefix) - startOf(whole)) / 2 ** (32 - length);
  const isOne = Number.isInteger(place) && place >= 0;
  return isOne && prefixAt(whole, length, place) === prefix ? place : undefined;
}

/** The fewest prefixes that cover exactly the addresses from `first` to `last`. */
export function prefixesOf(first: number, last: number): string[] {
  const found: string[] = [];
  for (let next = first; next <= last; ) {
    let bits = 32;
    while (bits > 0) {
      const size = 2 ** (33 - bits);
      if (next % size !== 0 || next + size - 1 > last) break;
      bits -= 1;
    }
    found.push(`${addressOf(next)}/${bits}`);
    next += 2 ** (32 - bits);
  }
  return found;
}
