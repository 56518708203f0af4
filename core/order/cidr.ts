import ipaddr from "ipaddr.js";

/** The canonical form of a prefix (`10.128.0.5/14` is `10.128.0.0/14`); undefined when it is none. */
export function canonicalCidr(text: string): string | undefined {
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

/** Whether two canonical prefixes share an address. */
export function overlap(a: string, b: string): boolean {
  const [[first, firstBits], [second, secondBits]] = [ipaddr.parseCIDR(a), ipaddr.parseCIDR(b)];
  if (first.kind() !== second.kind()) return false;
  const bits = Math.min(firstBits, secondBits);
  return first.match(second, bits);
}
