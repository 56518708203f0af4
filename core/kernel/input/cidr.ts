import ipaddr from "ipaddr.js";
import { overlap } from "../../prefix.ts";
import { addressIn } from "./address.ts";

/**
 * The canonical form of a prefix (`10.128.0.5/14` is `10.128.0.0/14`); undefined when the text is not a
 * prefix. Forms that other programs read differently are refused: octal (`010.0.0.0`), hexadecimal,
 * fewer than four numbers, IPv4 within IPv6, zones.
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

/** Prefixes to which a cluster cannot send packets: no network, this host, this link, multicast, reserved. */
const reserved = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/127",
  "fe80::/10",
  "ff00::/8",
];

/** The least bits for service addresses: a new cluster already has more than a hundred services. */
const serviceBits = 8;

/** The prefixes of a cluster in canonical form, and their faults. */
export function networkOf(given: Prefixes): { network: Prefixes; faults: PrefixFault[] } {
  const network: Prefixes = {};
  const faults: PrefixFault[] = [];
  for (const member of ["pod_cidr", "service_cidr"] as const) {
    const text = given[member];
    if (!text) continue;
    const cidr = canonicalCidr(text);
    const refuse = (message: string) => faults.push({ member, message });
    const inside = cidr && reserved.find((other) => overlap(cidr, other));
    if (!cidr) refuse(`'${text}' is not a CIDR, such as 10.128.0.0/14`);
    else if (inside) refuse(`must not overlap ${inside}, which is reserved`);
    else network[member] = cidr;
  }
  const { pod_cidr, service_cidr } = network;
  const refuse = (message: string) => faults.push({ member: "service_cidr", message });
  if (service_cidr && freeBits(service_cidr) < serviceBits)
    refuse(`is too small: it must have ${2 ** serviceBits} addresses or more`);
  if (!pod_cidr || !service_cidr) return { network, faults };
  const refuseBoth = (message: string) =>
    faults.push({ member: "service_cidr", message, beside: ["pod_cidr"] });
  if (overlap(pod_cidr, service_cidr)) refuseBoth("overlaps pod_cidr");
  if (pod_cidr.includes(":") !== service_cidr.includes(":"))
    refuseBoth("must be of the same family as pod_cidr: both IPv4, or both IPv6");
  return { network, faults };
}

export interface Prefixes {
  pod_cidr?: string | undefined;
  service_cidr?: string | undefined;
}
interface PrefixFault {
  member: keyof Prefixes;
  message: string;
  /** Other prefixes that the rule looks at. */
  beside?: (keyof Prefixes)[];
}

function freeBits(cidr: string): number {
  const [address, bits] = ipaddr.parseCIDR(cidr);
  return (address.kind() === "ipv4" ? 32 : 128) - bits;
}
