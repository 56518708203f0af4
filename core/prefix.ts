import ipaddr from "ipaddr.js";

/** Prefixes and addresses of both families, by the place of an address in its prefix. All prefixes are canonical. */

export type Family = "ipv4" | "ipv6";

export const addressFamily = (text: string): Family => (text.includes(":") ? "ipv6" : "ipv4");

/** The length of a prefix in bits. */
export const lengthOf = (cidr: string): number => Number(cidr.split("/")[1]);

const widths = { ipv4: 32, ipv6: 128 } as const;

/** With the family given, `ipaddr` does not try both. */
const parsed = (cidr: string) =>
  addressFamily(cidr) === "ipv6" ? ipaddr.IPv6.parseCIDR(cidr) : ipaddr.IPv4.parseCIDR(cidr);

/** Whether two canonical prefixes share an address. */
export function overlap(a: string, b: string): boolean {
  const [[first, firstBits], [second, secondBits]] = [parsed(a), parsed(b)];
  if (first.kind() !== second.kind()) return false;
  const bits = Math.min(firstBits, secondBits);
  return first.match(second, bits);
}

/**
 * "No network", this host, this link, multicast and reserved addresses; ranges for documentation and benchmarks are
 * left out.
 */
const reserved = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/3",
  "::/8",
  "fe80::/10",
  "ff00::/8",
];

/** Why no reachable address may be in a prefix; undefined where it may. */
export function reservedFault(cidr: string): string | undefined {
  const found = reserved.find((other) => overlap(cidr, other));
  return found && `must not overlap ${found}, which is reserved`;
}

/** Whether a prefix is wholly inside another of the same family. */
export const isWithin = (outer: string, inner: string): boolean =>
  lengthOf(inner) >= lengthOf(outer) && overlap(outer, inner);

const bigOf = (address: string): bigint =>
  ipaddr
    .parse(address)
    .toByteArray()
    .reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);

function textOf(value: bigint, family: Family): string {
  const bytes = Array.from({ length: widths[family] / 8 }, (_, n) =>
    Number((value >> BigInt(8 * (widths[family] / 8 - 1 - n))) & 255n),
  );
  return ipaddr.fromByteArray(bytes).toString();
}

const startOf = (cidr: string): bigint => bigOf(cidr.split("/")[0] ?? "");

/** How many addresses a prefix has. */
export const prefixSize = (cidr: string): number =>
  2 ** (widths[addressFamily(cidr)] - lengthOf(cidr));

/** The place of an address in a prefix; undefined for one that is not in it. */
export function placeIn(cidr: string, address: string): number | undefined {
  if (addressFamily(cidr) !== addressFamily(address)) return undefined;
  const place = bigOf(address) - startOf(cidr);
  return place >= 0n && place < BigInt(prefixSize(cidr)) ? Number(place) : undefined;
}

/** The address at a place of a prefix; the first has place 0. */
export const addressAt = (cidr: string, place: number): string =>
  textOf(startOf(cidr) + BigInt(place), addressFamily(cidr));

/** The number of parts of this length in a prefix. */
export const partsIn = (cidr: string, length: number): number => 2 ** (length - lengthOf(cidr));

const sizeAt = (family: Family, length: number): bigint => 1n << BigInt(widths[family] - length);

const partFrom = (start: bigint, family: Family, length: number): string =>
  `${textOf(start, family)}/${length}`;

/** The part of this length at a place of a prefix; the first has place 0. */
export function partAt(cidr: string, length: number, place: number): string {
  const family = addressFamily(cidr);
  return partFrom(startOf(cidr) + BigInt(place) * sizeAt(family, length), family, length);
}

/** The first part of this length that overlaps none of these prefixes; undefined where there is none. */
export function freePart(
  cidr: string,
  length: number,
  taken: readonly string[],
): string | undefined {
  const family = addressFamily(cidr);
  const size = sizeAt(family, length);
  const ranges = taken
    .filter((each) => addressFamily(each) === family)
    .map((each) => {
      const start = startOf(each);
      return { start, end: start + sizeAt(family, lengthOf(each)) };
    })
    .sort((a, b) => (a.start < b.start ? -1 : 1));
  let next = startOf(cidr);
  const end = next + sizeAt(family, lengthOf(cidr));
  for (const range of ranges) {
    if (next + size <= range.start) break;
    // The first place after the range at which a part of this length can begin.
    if (range.end > next) next = ((range.end + size - 1n) / size) * size;
  }
  return next + size <= end ? partFrom(next, family, length) : undefined;
}
