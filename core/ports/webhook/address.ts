import ipaddr from "ipaddr.js";
import { hostFault } from "../../kernel/input/address.ts";

/**
 * The addresses that tenants' webhooks may have: public ones. Slipway must not be a way to its own addresses
 * or the cloud's: private, loopback, link-local and metadata addresses.
 */

/** Azure's platform address for virtual machines, which lies among the public addresses. */
const metadata = new Set(["168.63.129.16"]);
const global6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/**
 * Whether the address of a receiver is public. An IPv6 address that wraps an IPv4 address never counts
 * as public.
 */
export function isPublic(address: string): boolean {
  const parsed = parse(address);
  if (parsed?.range() !== "unicast" || metadata.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(global6);
}

export const isLoopback = (address: string): boolean => parse(address)?.range() === "loopback";

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(address) ? ipaddr.parse(address) : undefined;
}

/** The literal address in a URL, if it has one; the URL parser normalizes all spellings. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : undefined;
}

/**
 * Why a webhook may not have this URL; checks the text alone. `loopback` permits receivers on this machine.
 */
export function urlRefusal(text: string, { loopback }: { loopback: boolean }): string | undefined {
  const url = URL.parse(text);
  if (!url) return "must be a URL, such as https://receiver.example.com/events";
  if (url.username !== "" || url.password !== "") return "must not have a user or a password in it";
  const address = literalAddress(url);
  const isLocal =
    loopback && (url.hostname === "localhost" || (address !== undefined && isLoopback(address)));
  if (isLocal && (url.protocol === "http:" || url.protocol === "https:")) return undefined;
  if (url.protocol !== "https:") return "must be https";
  const isOurs = /(^|\.)localhost\.?$/.test(url.hostname);
  if (isOurs || (address !== undefined && !isPublic(address)))
    return "must have an address that is public";
  return hostFault(text);
}
