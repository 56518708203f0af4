import ipaddr from "ipaddr.js";
import { AppError } from "../../error.ts";
import { isSameOwner, type OwnershipTag, parseTagText, type TaggedOwner } from "../owner.ts";

/**
 * The DNS port: an owner's address records below its claimed domain. Every call may be repeated. No call
 * touches a record without this owner's ownership tag: `ensure` throws Conflict for it, `remove` leaves it.
 * All throw Unavailable when the DNS service does not answer or asks to try later, and Rejected when it
 * refuses.
 */
export interface Dns {
  /**
   * Sets the owner's records to exactly these. Answers the service's id of the change, if it has such ids:
   * store it and pass it to `observe`.
   */
  ensure(owner: OwnedDomain, records: RecordSet[]): Promise<string | undefined>;
  /** Whether the authoritative servers answer with these records yet. */
  observe(owner: OwnedDomain, records: RecordSet[], change?: string): Promise<DnsObservation>;
  /** Removes the owner's records; succeeds if there are none. */
  remove(owner: OwnedDomain): Promise<void>;
  /**
   * The domains below the zone with their owners, from all records with an ownership tag. Some services tag
   * single records: `domainOf` tells the domain of a record's name.
   */
  observeAll(domainOf: DomainOf): Promise<DomainOwner[]>;
}

/** The owner of a domain. */
export interface DomainOwner extends TaggedOwner {
  /** The domain that the owner has claimed, without a dot at the end. */
  domain: string;
}

/**
 * An owner's domain, and the only names in it at which the owner may have records; no other names are read.
 */
export interface OwnedDomain extends DomainOwner {
  recordNames: readonly string[];
}

/** The domain of a record's name; undefined for a name that no owner of this kind can have. */
export type DomainOf = (kind: string, name: string) => string | undefined;

/** All records of one name and type. */
export interface RecordSet {
  /** The name, without a dot at the end. */
  name: string;
  type: AddressType;
  /** IP addresses, written as ipaddr.js does. */
  addresses: string[];
}

export type AddressType = "A" | "AAAA";

export interface DnsObservation {
  /**
   * `done`: the authoritative servers answer with the records; `pending`: the records are stored but not yet
   * served; `missing`: some are absent or wrong, so call `ensure` again; `unknown`: the records are stored,
   * but whether they are served cannot be known: observe again, and if that does not help, call `ensure`
   * again.
   */
  state: "done" | "pending" | "missing" | "unknown";
  /** The reason of the step's wait, for people to read. */
  message: string;
}

/** The TTL of records, in seconds. Short, because a new owner's addresses may change. */
export const timeToLive = 60;

/** The record sets of one name with these addresses. Throws Invalid for a text that is not an IP address. */
export function recordSets(name: string, addresses: string[]): RecordSet[] {
  const parsed = addresses.map(parseAddress);
  const set = (type: AddressType, kind: string): RecordSet[] => {
    const found = parsed.filter((address) => address.kind() === kind).map(String);
    return found.length > 0 ? [{ name, type, addresses: found }] : [];
  };
  return [...set("A", "ipv4"), ...set("AAAA", "ipv6")];
}

/** The owners without duplicates for a domain. */
export const eachOnce = (owners: DomainOwner[]): DomainOwner[] => [
  ...new Map(owners.map((owner) => [`${owner.domain} ${owner.kind} ${owner.id}`, owner])).values(),
];

/** Whether an ownership tag is this owner's; compares only kind and id. */
export function isOwnershipTagOf(text: string, owner: OwnershipTag): boolean {
  const named = parseTagText(text);
  return named !== undefined && isSameOwner(named, owner);
}

/** Whether two lists have the same addresses, in any order and spelling. */
export function sameAddresses(some: string[], others: string[]): boolean {
  const normal = (list: string[]) =>
    list.map((text) => (ipaddr.isValid(text) ? ipaddr.parse(text).toString() : text)).sort();
  return JSON.stringify(normal(some)) === JSON.stringify(normal(others));
}

/** The error for a name that somebody else uses. */
export function foreign(name: string, { kind }: OwnershipTag): AppError {
  const message = `the DNS name ${name} exists and does not belong to this ${kind.replaceAll("_", " ")}`;
  return new AppError("Conflict", message);
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  if (ipaddr.isValid(text)) return ipaddr.parse(text);
  throw new AppError("Invalid", `'${text}' is not an IP address`);
}
