import ipaddr from "ipaddr.js";
import { AppError } from "../../error.ts";
import type { ClusterId } from "../../id.ts";
import { recordNames } from "../../resources/cluster/cluster-site.ts";

/**
 * The DNS port: the address records of one order under its claimed name. Every call may be
 * repeated. What is not marked as this order's is never touched: `ensure` throws Conflict for it,
 * `remove` leaves it. All throw Unavailable when the DNS service cannot be asked or says later, and
 * Rejected when it refuses.
 */
export interface Dns {
  /**
   * Makes the order's records these and no others. Answers what the change is known by at the
   * service, where it has such a thing: to be kept and given to `observe`.
   */
  ensure(owner: DnsOwner, records: RecordSet[]): Promise<string | undefined>;
  /** Whether the authority answers with these records by now. */
  observe(owner: DnsOwner, records: RecordSet[], change?: string): Promise<DnsObservation>;
  /** Takes the order's records away; there may be none. */
  remove(owner: DnsOwner): Promise<void>;
  /** Whose records there are below the zone: all that carry our mark, of whatever order. */
  observeAll(): Promise<DnsOwner[]>;
}

/** The order whose records they are. */
export interface DnsOwner {
  cluster: ClusterId;
  tenant: string;
  /** The name that is claimed for the order, without a dot at the end. */
  domain: string;
}

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

/** Where each name of a cluster leads. */
export interface ClusterAddresses {
  api: string[];
  apiInternal: string[];
  ingress: string[];
}

/** In seconds. Short, because an address may change while an order is young. */
export const timeToLive = 60;

/** The records of a cluster. Throws Invalid for what is no IP address. */
export function clusterRecords(domain: string, addresses: ClusterAddresses): RecordSet[] {
  const lists = [addresses.api, addresses.apiInternal, addresses.ingress];
  return recordNames(domain).flatMap((name, n) => {
    const parsed = (lists[n] ?? []).map(parseAddress);
    const set = (type: AddressType, kind: string): RecordSet[] => {
      const found = parsed.filter((address) => address.kind() === kind).map(String);
      return found.length > 0 ? [{ name, type, addresses: found }] : [];
    };
    return [...set("A", "ipv4"), ...set("AAAA", "ipv6")];
  });
}

/** The domain that a name of a cluster is below; undefined for a name that no cluster has. */
export function domainOfName(name: string): string | undefined {
  const domain = name.replace(/^(api|api-int|\*\.apps)\./, "");
  return domain === name ? undefined : domain;
}

/** Each order once. */
export const eachOnce = (owners: DnsOwner[]): DnsOwner[] => [
  ...new Map(owners.map((owner) => [`${owner.domain} ${owner.cluster}`, owner])).values(),
];

/** Whether two lists hold the same addresses, in whatever order and spelling. */
export function sameAddresses(some: string[], others: string[]): boolean {
  const normal = (list: string[]) =>
    list.map((text) => (ipaddr.isValid(text) ? ipaddr.parse(text).toString() : text)).sort();
  return JSON.stringify(normal(some)) === JSON.stringify(normal(others));
}

/** The error for a name that somebody else has. */
export function foreign(name: string): AppError {
  return new AppError(
    "Conflict",
    `the DNS name ${name} exists and does not belong to this cluster`,
  );
}

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  if (ipaddr.isValid(text)) return ipaddr.parse(text);
  throw new AppError("Invalid", `'${text}' is not an IP address`);
}
