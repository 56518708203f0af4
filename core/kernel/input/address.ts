import ipaddr from "ipaddr.js";
import { overlap, reservedFault } from "../../prefix.ts";

/**
 * Addresses as people write them. Programs read the same text differently: `192.0.2.010` is 192.0.2.8 to those that
 * know octal numbers, and `127.1` or `0x7f000001` mean this machine. So an address is accepted only if its text means
 * the same everywhere.
 */

const ipv6 = /^[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,8}$/i;

/**
 * The canonical text of an IP address; undefined for any other text, for IPv4 that is not four plain decimals,
 * and for IPv6 with a zone, an IPv4 part, or a number of more than four digits.
 */
export function addressIn(text: string): string | undefined {
  if (!text.includes(":")) return ipaddr.IPv4.isValidFourPartDecimal(text) ? text : undefined;
  if (!ipv6.test(text) || !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? undefined : address.toString();
}

/** An address as the host of a URL: IPv6 is in brackets there. */
export const inUrl = (address: string): string =>
  address.includes(":") ? `[${address}]` : address;

/** URL parsers read a name as an IPv4 address if its last part is a number. */
const endsInNumber = /(^|\.)(\d+|0x[0-9a-f]*)\.?$/i;

/** A label of a name. DNS names have no underscore, but names of containers and services do. */
const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;

function isName(host: string): boolean {
  const name = host.replace(/\.$/, "");
  return name.length <= 253 && name.split(".").every((each) => label.test(each));
}

const plainName = "must have a host name of letters, digits and hyphens, such as dns.example.com";
const plainIpv4 = "must have an IPv4 address as four plain decimals, such as 192.0.2.10";
const plainIpv6 = "must have a plain IPv6 address in brackets, such as [2001:db8::10]";

/** The fault of a URL's host, by its text; undefined for a host that means the same everywhere. */
export function hostFault(url: string): string | undefined {
  const [, authority = ""] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\\]*)/i.exec(url) ?? [];
  const place = authority.slice(authority.lastIndexOf("@") + 1);
  if (place.startsWith("[") || place.split(":").length > 2) {
    const [, inBrackets = ""] = /^\[([^\]]*)\](:\d*)?$/.exec(place) ?? [];
    return addressIn(inBrackets)?.includes(":") ? undefined : plainIpv6;
  }
  const host = place.replace(/:\d*$/, "");
  if (host === "") return "must have a host after '//'";
  // URL parsers skip tabs, decode percent signs, and read wide digits and dots as plain ones.
  const isPlain = /^[\x21-\x24\x26-\x7e]+$/.test(host);
  const read = isPlain ? host : (URL.parse(`https://${host}`)?.hostname ?? "0");
  if (!endsInNumber.test(read)) return isName(read) ? undefined : plainName;
  return isPlain && addressIn(host) !== undefined ? undefined : plainIpv4;
}

/** Addresses of no single machine: unspecified, multicast, broadcast, and reserved ones. */
const ofNoMachine = ["0.0.0.0/8", "224.0.0.0/3", "::/128", "ff00::/8"];

/** An address as a prefix of full length. */
export const wholeOf = (address: string): string =>
  `${address}/${address.includes(":") ? 128 : 32}`;

/** The address in a URL's host; undefined for a name, and for hosts that `hostFault` refuses. */
export const literalIn = (url: string): string | undefined =>
  addressIn((URL.parse(url)?.hostname ?? "").replace(/^\[|\]$/g, ""));

/** The reason why the host of a URL cannot be any machine, not even this one; undefined if it can be one. */
export function machineFault(url: string): string | undefined {
  const address = literalIn(url);
  const isNone =
    address !== undefined && ofNoMachine.some((each) => overlap(each, wholeOf(address)));
  return isNone ? `must have the address of a machine, not ${address}` : undefined;
}

/** The reason why other machines cannot reach the host of a URL: it means themselves, their link, or no machine. */
export function reachFault(url: string): string | undefined {
  const address = literalIn(url);
  const isThemselves = /(^|\.)localhost\.?$/i.test(URL.parse(url)?.hostname ?? "");
  const isNowhere = address !== undefined && reservedFault(wholeOf(address)) !== undefined;
  return isThemselves || isNowhere
    ? `must have a host that servers reach, not ${address ?? "localhost"}`
    : undefined;
}
