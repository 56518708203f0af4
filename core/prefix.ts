import ipaddr from "ipaddr.js";

/** Prefixes and addresses of both families, by the place of an address in its prefix. All prefixes are canonical. */

export type Family = "ipv4" | "ipv6";

export const familyOf = (text: string): Family => (text.includes(":") ? "ipv6" : "ipv4");

/** The length of a prefix in bits. */
export const lengthOf = (cidr: string): number => Number(cidr.split("/")[1]);

const widths = { ipv4: 32, ipv6: 128 } as const;

/** Whether two canonical prefixes share an address. */
export function overlap(a: string, b: string): boolean {
  const [[first, firstBits], [second, secondBits]] = [ipaddr.parseCIDR(a), ipaddr.parseCIDR(b)];
  if (first.kind() !== second.kind()) return false;
  const bits = Math.min(firstBits, secondBits);
  return first.match(second, bits);
}

/** Whether the whole of a prefix is in another one of its family. */
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
export const sizeOf = (cidr: string): number => 2 ** (widths[familyOf(cidr)] - lengthOf(cidr));

/** The place of an address in a prefix; undefined for one that is not in it. */
export function placeIn(cidr: string, address: string): number | undefined {
  if (familyOf(cidr) !== familyOf(address)) return undefined;
  const place = bigOf(address) - startOf(cidr);
  return place >= 0n && place < BigInt(sizeOf(cidr)) ? Number(place) : undefined;
}

/** The address at a place of a prefix; the first has place 0. */
export const addressAt = (cidr: string, place: number): string =>
  textOf(startOf(cidr) + BigInt(place), familyOf(cidr));
