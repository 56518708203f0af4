import ipaddr from "ipaddr.js";

/**
 * The canonical form of a prefix (`10.128.0.5/14` is `10.128.0.0/14`); undefined when it is none.
 * What other programs read otherwise is none: octal (`010.0.0.0`), hexadecimal, fewer than four
 * numbers, IPv4 within IPv6, zones.
 */
export function canonicalCidr(text: string): string | undefined {
  if (!isPlain(text.split("/")[0] ?? "")) return undefined;
  try {
    const [address, bits] = ipaddr.parseCIDR(text);
    const network =
      address.kind() === "ipv4"
        ? ipaddr.IPv4.networkAddressFromCIDR(text)
        : ipaddr.IPv6.networkAddressFromCIDR(text);
    return `${network.toString()}/${bits}`;
  } catch {
    return undefined;
  }
}

const isPlain = (address: string): boolean =>
  address.includes(":")
    ? !address.includes("%") &&
      ipaddr.IPv6.isValid(address) &&
      !ipaddr.IPv6.parse(address).isIPv4MappedAddress()
    : ipaddr.IPv4.isValidFourPartDecimal(address);

/** Whether two canonical prefixes share an address. */
export function overlap(a: string, b: string): boolean {
  const [[first, firstBits], [second, secondBits]] = [ipaddr.parseCIDR(a), ipaddr.parseCIDR(b)];
  if (first.kind() !== second.kind()) return false;
  const bits = Math.min(firstBits, secondBits);
  return first.match(second, bits);
}
