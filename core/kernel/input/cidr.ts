import ipaddr from "ipaddr.js";
import { addressIn } from "./address.ts";

/**
 * The canonical form of a prefix (`10.128.0.5/14` is `10.128.0.0/14`); undefined for any other text. Forms that
 * other programs read differently are refused: octal (`010.0.0.0`), hexadecimal, fewer than four numbers, IPv4
 * within IPv6, zones.
 */
export function canonicalCidr(text: string): string | undefined {
  if (addressIn(text.split("/")[0] ?? "") === undefined) return undefined;
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
