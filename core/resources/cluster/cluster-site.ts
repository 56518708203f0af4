import type { Progress } from "./model.ts";

/** What a cluster's addresses outside are for. */
export const floatingIpUses = ["api", "ingress"] as const;
export type FloatingIpUse = (typeof floatingIpUses)[number];

/**
 * What a cluster has at its site. Names and numbers are here before the thing outside is made, and
 * stay until it is gone, so that whatever a crash leaves is found again.
 */
export interface ClusterSite {
  id: string;
  vlan?: number;
  network?: ClusterNetwork;
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

export interface ClusterNetwork {
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
