import ipaddr from "ipaddr.js";
import { AppError } from "../../error.ts";
import { isSameOwner, type OwnershipTag, parseTagText, type TaggedOwner } from "../owner.ts";

/**
 * The DNS port: the address records of an owner below its claimed domain. Every call may be
 * repeated. What is not marked as this owner's is never touched: `ensure` throws Conflict for it,
 * `remove` leaves it. All throw Unavailable when the DNS service cannot be asked or says later, and
 * Rejected when it refuses.
 */
export interface Dns {
  /**
   * Makes the owner's records these and no others. Answers what the change is known by at the
   * service, where it has such a thing: to be kept and given to `observe`.
   */
  ensure(owner: OwnedDomain, records: RecordSet[]): Promise<string | undefined>;
  /** Whether the authority answers with these records by now. */
  observe(owner: OwnedDomain, records: RecordSet[], change?: string): Promise<DnsObservation>;
  /** Takes the owner's records away; there may be none. */
  remove(owner: OwnedDomain): Promise<void>;
  /**
   * Each owner's domains below the zone: all that carry our mark, of whatever owner. Some services
   * mark each record alone: `domainOf` says which domain a record's name is below.
   */
  observeAll(domainOf: DomainOf): Promise<DomainOwner[]>;
}

/** The owner of a domain. */
export interface DomainOwner extends TaggedOwner {
  /** The name that it has claimed, without a dot at the end. */
  domain: string;
}

/** An owner's domain, and the names in it that it may have records at; no others are ever looked at. */
export interface OwnedDomain extends DomainOwner {
  recordNames: readonly string[];
}

/** Undefined for a name that no owner of this kind has. */
export type DomainOf = (kind: string, name: string) => string | undefined;

/** All records of one name and type. */
export interface RecordSet {
  /** Without a dot at the end. */
  name: string;
  type: AddressType;
  /** IP addresses, written as ipaddr.js does. */
  addresses: string[];
}

export type AddressType = "A" | "AAAA";

export interface DnsObservation {
  /**
   * `done`: the authority answers with them; `pending`: they are stored, but it does not yet;
   * `missing`: some are not there or not as they should be, so `ensure` has to be called again;
   * `unknown`: they are stored, but nobody can say whether they are answered: ask again, and when it
   * stays so, `ensure` again.
   */
  state: "done" | "pending" | "missing" | "unknown";
  /** What is waited for; for people. */
  message: string;
}

/** In seconds. Short, because an address may change while its owner is young. */
export const timeToLive = 60;

/** The records of one name that lead to these addresses. Throws Invalid for what is no IP address. */
export function recordSets(name: string, addresses: string[]): RecordSet[] {
  const parsed = addresses.map(parseAddress);
  const set = (type: AddressType, kind: string): RecordSet[] => {
    const found = parsed.filter((address) => address.kind() === kind).map(String);
    return found.length > 0 ? [{ name, type, addresses: found }] : [];
  };
  return [...set("A", "ipv4"), ...set("AAAA", "ipv6")];
}

/** Each domain of an owner once. */
export const eachOnce = (owners: DomainOwner[]): DomainOwner[] => [
  ...new Map(owners.map((owner) => [`${owner.domain} ${owner.kind} ${owner.id}`, owner])).values(),
];

/** Whether a mark is this owner's: its kind and id decide. */
export function isMarkOf(text: string, owner: OwnershipTag): boolean {
  const marked = parseTagText(text);
  return marked !== undefined && isSameOwner(marked, owner);
}

/** Whether two lists hold the same addresses, in whatever order and spelling. */
export function sameAddresses(some: string[], others: string[]): boolean {
  const normal = (list: string[]) =>
    list.map((text) => (ipaddr.isValid(text) ? ipaddr.parse(text).toString() : text)).sort();
  return JSON.stringify(normal(some)) === JSON.stringify(normal(others));
}

/** The error for a name that somebody else has. */
export function foreign(name: string, { kind }: OwnershipTag): AppError {
  const message = `the DNS name ${name} exists and does not belong to this ${kind.replaceAll("_", " ")}`;
  return new AppError("Conflict", message);
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  if (ipaddr.isValid(text)) return ipaddr.parse(text);
  throw new AppError("Invalid", `'${text}' is not an IP address`);
}
