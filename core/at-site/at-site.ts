import type { Metadata, Reference } from "../kernel/object/metadata.ts";
import type { KindWith, Operated } from "../kernel/object/traits.ts";

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

/** A tenant's subnet that an object was ordered into, which never changes, and its groups there. */
export interface Standing {
  /** The id of the subnet. */
  subnet: string;
  /** The site that the subnet is at; absent for one of an overlay, which is wherever its members are. */
  site?: string;
  /** The names of the subnet and of the groups on systems outside. */
  name: string;
  groups: readonly string[];
}

/** One of the subnets that a server stands in. */
export interface Stand extends Standing {
  /** The name of the host's NIC there; absent: every NIC that no other stand names. */
  interface?: string;
  /** The server's default route leads there. */
  primary: boolean;
}

/** The addresses of an object's NICs in subnets, by the ids of these and by the names that `nicName` gives. */
export type SubnetAddresses = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Security groups, and their names on systems outside. */
export interface Groups {
  security_groups: Reference[];
  names: readonly string[];
}

/** While an object's security groups change: those that it had in each of its segments, to which a failed change goes back. */
export interface Regrouped {
  from: readonly Groups[];
  /** The groups that every one of its ports was last seen with; absent while some have others. */
  seen?: "wanted" | "previous";
}

/** Kinds whose objects are at sites. */
export type SitedKind = KindWith<HasSite>;

/** An object of such a kind, with the members that steps at its site need. */
export interface AtSite extends HasSite {
  kind: SitedKind;
  /** Where its hosts stand instead of in a network of its own. */
  stands_in?: Standing;
  /** The subnets that a server stands in, and the addresses that it has in subnets. */
  stands?: readonly Stand[];
  addresses?: SubnetAddresses;
  /** Only of an object that is made on a hub instead of at a site. */
  hub?: PlaceRecord;
}

/** The last seen progress of a part; `at` is when this progress was first seen. */
export interface Progress {
  state: "pending" | "done" | "failed";
  /** What the part waits for, or why it failed; for people. */
  message: string;
  at: string;
}

/** Where an object has something outside, with the progress of its parts there. */
export interface PlaceRecord {
  /** The id of the site, or of the hub. */
  id: string;
  /** The progress of each part; absent before the part was begun and after it was removed. */
  parts: Partial<Record<SitePart, Progress>>;
}

/**
 * The record of what an object has at its site. Names and numbers are written before the object outside
 * is made, and stay until it is gone, so that nothing is lost after a crash.
 */
export interface SiteRecord extends PlaceRecord {
  vlan?: number;
  network?: NetworkRecord;
  /** Outside addresses of its own. */
  floating_ips?: Record<FloatingIpUse, string>;
  /** External IPs in their place, each by the attachment that has the use. */
  external_ips?: Partial<Record<FloatingIpUse, EndpointIp>>;
  /** The claimed domain. */
  domain?: string;
  /** The DNS service's id of the last change of the records. */
  dns_change?: string;
}

/** An external IP that stands in for an object's own outside address. */
export interface EndpointIp {
  /** The attachment that put it there, and its name on systems outside. */
  attachment: string;
  name: string;
  address: string;
  /** It leads here, so that names and status say it. */
  leads?: true;
}

/** An external IP that came with what it leads to, and its attachment. */
export interface AutomaticIp extends Omit<EndpointIp, "leads"> {
  /** The id of the external IP. */
  external_ip: string;
}

/** The address by which the outside reaches each use: its own, or an external IP that leads to it. */
export function outsideOf({
  floating_ips: own,
  external_ips: external,
}: Pick<SiteRecord, "floating_ips" | "external_ips">): Record<FloatingIpUse, string> | undefined {
  const of = (use: FloatingIpUse) => (external?.[use]?.leads ? external[use].address : own?.[use]);
  const [api, ingress] = [of("api"), of("ingress")];
  return api !== undefined && ingress !== undefined ? { api, ingress } : undefined;
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
/**
 * The parts of tenants' networks: a network's router and its way out, or its namespace on a hub, a subnet's connection to
 * it, a group's rules, an external IP's way in.
 */
export const networkParts = [
  "router",
  "way_out",
  "namespace",
  "subnet",
  "rules",
  "external_ip",
] as const;
export type SitePart = (typeof siteParts)[number] | (typeof networkParts)[number];

/** What the hosts in a network are sent. */
interface HostNetwork {
  prefix: string;
  gateway: string;
  dns_servers: string[];
}

/** A network, without its inside addresses. */
export interface NetworkPlan extends HostNetwork {
  /** The number of the prefix among those of the site. */
  number: number;
  range: { first: string; last: string };
}

/** Each use has an inside address, outside the range of DHCP: the hub announces one, the cluster the other. */
export type OwnNetwork = NetworkPlan & Record<FloatingIpUse, string>;

/** A tenant's subnet, in which each NIC has a claimed address as each use has. */
export interface SharedNetwork extends HostNetwork, Record<FloatingIpUse, string> {
  /** By the names that `nicName` gives. */
  nics: Record<string, string>;
  /** The API's address is claimed on the hub, too: tenants may have the same prefixes, and a hub announces each once. */
  pinned?: true;
}

export type NetworkRecord = OwnNetwork | SharedNetwork;

/** The number of the prefix of a network of its own. */
export const prefixNumberOf = (network: NetworkRecord | undefined): number | undefined =>
  network && "number" in network ? network.number : undefined;
