import type { Metadata } from "../../kernel/object/metadata.ts";
import type { KindWith, Operated } from "../../kernel/object/traits.ts";

/** The uses of outside addresses. */
export const floatingIpUses = ["api", "ingress"] as const;
export type FloatingIpUse = (typeof floatingIpUses)[number];

/** An object with something at a site: a network, addresses, names, storage. */
export interface HasSite extends Operated {
  id: string;
  /** The object's name on systems outside; claimed, never reused. */
  infra_id: string;
  metadata: Metadata;
  /** Absent for an object at no site. */
  site?: SiteRecord;
}

/** Kinds whose objects are at sites. */
export type SitedKind = KindWith<HasSite>;

/** An object of such a kind, with the members that steps at its site need. */
export interface AtSite extends HasSite {
  kind: SitedKind;
}

/** The last seen progress of a part; `at` is when this progress was first seen. */
export interface Progress {
  state: "pending" | "done" | "failed";
  /** What the part waits for, or why it failed; for people. */
  message: string;
  at: string;
}

/**
 * The record of what an object has at its site. Names and numbers are written before the object outside
 * is made, and stay until it is gone, so that nothing is lost after a crash.
 */
export interface SiteRecord {
  id: string;
  vlan?: number;
  network?: NetworkRecord;
  /** Outside addresses. */
  floating_ips?: Record<FloatingIpUse, string>;
  /** The claimed domain. */
  domain?: string;
  /** The DNS service's id of the last change of the records. */
  dns_change?: string;
  /** The progress of each part; absent before the part was begun and after it was removed. */
  parts: Partial<Record<SitePart, Progress>>;
}

/** The parts of an object with hosts, in the order in which they are made. */
export const siteParts = [
  "layer2",
  "layer3",
  "attachments",
  "floating_ips",
  "dns_records",
  "storage",
] as const;
/** The parts of tenants' networks: a network's router, a subnet's connection to it, and a group's rules. */
export const networkParts = ["router", "subnet", "rules"] as const;
export type SitePart = (typeof siteParts)[number] | (typeof networkParts)[number];

/** A network, without its inside addresses. */
export interface NetworkPlan {
  /** The number of the prefix among those of the site. */
  number: number;
  prefix: string;
  gateway: string;
  range: { first: string; last: string };
  dns_servers: string[];
}

/** Each use has an inside address, outside the range of DHCP: the hub announces one, the cluster the other. */
export type NetworkRecord = NetworkPlan & Record<FloatingIpUse, string>;
