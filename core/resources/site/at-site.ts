import type { Metadata } from "../../kernel/object/metadata.ts";
import type { KindWith, Operated } from "../../kernel/object/traits.ts";

/** What addresses outside are for. */
export const floatingIpUses = ["api", "ingress"] as const;
export type FloatingIpUse = (typeof floatingIpUses)[number];

/** Has something at a site: a network, addresses, names, storage. */
interface HasSite extends Operated {
  id: string;
  /** Its name on systems outside; claimed, never reused. */
  infra_id: string;
  metadata: Metadata;
  /** Absent where it is at no site. */
  site?: SiteRecord;
}

/** Kinds whose objects are at sites. */
export type SitedKind = KindWith<HasSite>;

/** An object of such a kind, as steps at its site need it. */
export interface AtSite extends HasSite {
  kind: SitedKind;
}

/** How far a part of the work is, as it was last seen; `at` is when this was first so. */
export interface Progress {
  state: "pending" | "done" | "failed";
  /** For people: what it waits for, or why it failed. */
  message: string;
  at: string;
}

/**
 * What an object has at its site. Names and numbers are here before the thing outside is made, and
 * stay until it is gone, so that whatever a crash leaves is found again.
 */
export interface SiteRecord {
  id: string;
  vlan?: number;
  network?: NetworkRecord;
  /** Outside addresses. */
  floating_ips?: Record<FloatingIpUse, string>;
  /** The name that is claimed for it. */
  domain?: string;
  /** What the last change of its records is known by at the DNS service. */
  dns_change?: string;
  /** How far each part is; absent before it was begun and after it was given back. */
  parts: Partial<Record<SitePart, Progress>>;
}

export const siteParts = [
  "layer2",
  "layer3",
  "attachments",
  "floating_ips",
  "dns_records",
  "storage",
] as const;
export type SitePart = (typeof siteParts)[number];

export interface NetworkRecord {
  /** The number of its prefix among those of the site. */
  number: number;
  prefix: string;
  gateway: string;
  /** Inside addresses, outside of what DHCP gives: the hub announces one, the cluster the other. */
  api: string;
  ingress: string;
  range: { first: string; last: string };
  dns_servers: string[];
}
