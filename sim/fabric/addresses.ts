import ipaddr from "ipaddr.js";

/** IPv4 and IPv6 addresses as numbers. */

export type Version = 4 | 6;

export interface Range {
  version: Version;
  first: bigint;
  last: bigint;
}

export interface AllocationPool {
  start: string;
  end: string;
}

const isV4 = ipaddr.IPv4.isValidFourPartDecimal;

export const isAddress = (text: string): boolean => isV4(text) || ipaddr.IPv6.isValid(text);

export const isCidr = (text: string): boolean =>
  ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);

export const versionOf = (address: string): Version => (address.includes(":") ? 6 : 4);

const bits = (version: Version): bigint => (version === 4 ? 32n : 128n);

function numberOf(address: string): bigint {
  return ipaddr
    .parse(address)
    .toByteArray()
    .reduce((number, byte) => number * 256n + BigInt(byte), 0n);
}

export function textOf(number: bigint, version: Version): string {
  const length = Number(bits(version)) / 8;
  const bytes = Array.from({ length }, (_, index) =>
    Number((number >> BigInt(8 * (length - 1 - index))) & 255n),
  );
  return textOfParsed(ipaddr.fromByteArray(bytes));
}

const textOfParsed = (address: ipaddr.IPv4 | ipaddr.IPv6): string =>
  address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();

/** An address in the form that Neutron stores. */
export const canonicalAddress = (address: string): string => textOfParsed(ipaddr.parse(address));

/** All addresses of a prefix, including the network and broadcast addresses. */
export function rangeOf(cidr: string): Range {
  const [address = "", length] = cidr.split("/");
  const version = versionOf(address);
  const rest = bits(version) - BigInt(length ?? bits(version));
  const first = (numberOf(address) >> rest) << rest;
  return { version, first, last: first + (1n << rest) - 1n };
}

/** The prefix with its host bits cleared, in the form that Neutron stores. */
export function canonicalCidr(cidr: string): string {
  const { first, version } = rangeOf(cidr);
  return `${textOf(first, version)}/${prefixLength(cidr)}`;
}

export const prefixLength = (cidr: string): number => Number(cidr.split("/")[1]);

export const poolRange = ({ start, end }: AllocationPool): Range => ({
  ...single(start),
  last: numberOf(end),
});

export const contains = (outer: Range, inner: Range): boolean =>
  outer.version === inner.version && outer.first <= inner.first && inner.last <= outer.last;

export const overlaps = (a: Range, b: Range): boolean =>
  a.version === b.version && a.first <= b.last && b.first <= a.last;

export function single(address: string): Range {
  const number = numberOf(address);
  return { version: versionOf(address), first: number, last: number };
}

/** Neutron's default allocation pools: the hosts of a prefix without its gateway. IPv6 has no broadcast address. */
export function defaultPools(cidr: string, gateway: string | null): AllocationPool[] {
  const { version, first, last } = rangeOf(cidr);
  const hosts = { first: first + 1n, last: version === 4 ? last - 1n : last };
  const without = gateway === null ? undefined : numberOf(gateway);
  const parts =
    without === undefined || without < hosts.first || without > hosts.last
      ? [hosts]
      : [
          { first: hosts.first, last: without - 1n },
          { first: without + 1n, last: hosts.last },
        ];
  return parts
    .filter((part) => part.first <= part.last)
    .map((part) => ({ start: textOf(part.first, version), end: textOf(part.last, version) }));
}

/** The lowest free address of the pools. */
export function firstFree(pools: AllocationPool[], taken: Set<string>): string | undefined {
  for (const pool of pools) {
    const { version, first, last } = poolRange(pool);
    for (let number = first; number <= last; number++) {
      const address = textOf(number, version);
      if (!taken.has(address)) return address;
    }
  }
  return undefined;
}

/** The SLAAC address of a NIC in a /64 prefix, made from its MAC by EUI-64. */
export function eui64(cidr: string, mac: string): string {
  const bytes = mac.split(":").map((byte) => Number.parseInt(byte, 16));
  const spread = [...bytes.slice(0, 3), 0xff, 0xfe, ...bytes.slice(3)];
  const host = spread.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  // The universal/local bit is inverted.
  return textOf(rangeOf(cidr).first + (host ^ (1n << 57n)), 6);
}
