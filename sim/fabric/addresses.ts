import ipaddr from "ipaddr.js";

/** IPv4 addresses as numbers. */

export interface Range {
  first: number;
  last: number;
}

export interface AllocationPool {
  start: string;
  end: string;
}

export function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text);
}

export function isCidr(text: string): boolean {
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text);
}

function numberOf(address: string): number {
  return ipaddr.IPv4.parse(address)
    .toByteArray()
    .reduce((number, byte) => number * 256 + byte, 0);
}

export function textOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
}

/** From the address of the network to its broadcast address. */
export function rangeOf(cidr: string): Range {
  return {
    first: numberOf(ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()),
    last: numberOf(ipaddr.IPv4.broadcastAddressFromCIDR(cidr).toString()),
  };
}

/** The prefix with its host bits cleared, in the form that Neutron stores. */
export function canonicalCidr(cidr: string): string {
  return `${textOf(rangeOf(cidr).first)}/${prefixLength(cidr)}`;
}

export const prefixLength = (cidr: string): number => Number(cidr.split("/")[1]);

export const poolRange = ({ start, end }: AllocationPool): Range => ({
  first: numberOf(start),
  last: numberOf(end),
});

export const contains = (outer: Range, inner: Range): boolean =>
  outer.first <= inner.first && inner.last <= outer.last;

export const overlaps = (a: Range, b: Range): boolean => a.first <= b.last && b.first <= a.last;

export const single = (address: string): Range => ({
  first: numberOf(address),
  last: numberOf(address),
});

/** The hosts of a prefix without its gateway: Neutron's pool where none are given. */
export function defaultPools(cidr: string, gateway: string | null): AllocationPool[] {
  const { first, last } = rangeOf(cidr);
  const hosts = { first: first + 1, last: last - 1 };
  const without = gateway === null ? undefined : numberOf(gateway);
  const parts =
    without === undefined || without < hosts.first || without > hosts.last
      ? [hosts]
      : [
          { first: hosts.first, last: without - 1 },
          { first: without + 1, last: hosts.last },
        ];
  return parts
    .filter((part) => part.first <= part.last)
    .map((part) => ({ start: textOf(part.first), end: textOf(part.last) }));
}

/** The lowest free address of the pools. */
export function firstFree(pools: AllocationPool[], taken: Set<string>): string | undefined {
  for (const pool of pools) {
    const { first, last } = poolRange(pool);
    for (let number = first; number <= last; number++) {
      const address = textOf(number);
      if (!taken.has(address)) return address;
    }
  }
  return undefined;
}
