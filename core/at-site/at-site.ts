import type { Metadata, Reference } from "../kernel/object/metadata.ts";
import type { KindWith, Operated } from "../kernel/object/traits.ts";

/** The uses of outside addresses. */
export const floatingIpUses = ["api", "ingress"] as const;
export type FloatingIpUse = (typeof floatingIpUses)[number];

/** An object with parts at a site: network, addresses, names, storage. */
export interface HasSite extends Operated {
  id: string;
  /** The object's name in outside systems; claimed, never reused. */
  infra_id: string;
  metadata: Metadata;
  /** Absent for an object at no site. */
  site?: SiteRecord;
}

/**
 * The tenant's subnet in which an object was ordered, and the object's security groups. The subnet never
 * changes.
 */
export interface Standing {
  /** The id of the subnet. */
  subnet: string;
  /** The subnet's site; absent for an overlay's subnet, which is on its members' hosts. */
  site?: string;
  /** The names of the subnet and of the groups in outside systems. */
  name: string;
  groups: readonly string[];
}

/** A server in one of its subnets. */
export interface Stand extends Standing {
  /** The name of the host's NIC in the subnet; if absent, every NIC that no other entry names. */
  interface?: string;
  /** Whether the server's default route is in this subnet. */
  primary: boolean;
}

/** The addresses of an object's NICs, by subnet id and by the NIC's name from `nicName`. */
export type SubnetAddresses = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Security groups, with their names in outside systems. */
export interface Groups {
  security_groups: Reference[];
  names: readonly string[];
}

/**
 * During a change of an object's security groups: the previous groups in each of its segments, which a failed
 * change restores.
 */
export interface Regrouped {
  from: readonly Groups[];
  /** The groups that were last seen on all of its ports; absent while the ports differ. */
  seen?: "wanted" | "previous";
}

/** Kinds whose objects are at sites. */
export type SitedKind = KindWith<HasSite>;

/** An object of such a kind, with the members that steps at its site read. */
export interface AtSite extends HasSite {
  kind: SitedKind;
  /** The tenant's subnet of its hosts, instead of a network of its own. */
  stands_in?: Standing;
  /** A server's subnets, with its addresses in them. */
  stands?: readonly Stand[];
  addresses?: SubnetAddresses;
  /** Present only for an object that is made on a hub instead of at a site. */
  hub?: PlaceRecord;
}

/** The last seen progress of a part; `at` is when this progress was first seen. */
export interface Progress {
  state: "pending" | "done" | "failed";
  /** The reason of the part's wait or failure, for people to read. */
  message: string;
  at: string;
}

/** Where an object's outside parts are, with the progress of each. */
export interface PlaceRecord {
  /** The id of the site, or of the hub. */
  id: string;
  /** The progress of each part, from its start to its removal. */
  parts: Partial<Record<SitePart, Progress>>;
}

/**
 * The record of an object's parts at its site. Names and numbers are written before the outside object is
 * made, and stay until it is gone, so that a crash loses nothing.
 */
export interface SiteRecord extends PlaceRecord {
  vlan?: number;
  network?: NetworkRecord;
  /** Its own floating IPs. */
  floating_ips?: Record<FloatingIpUse, string>;
  /** External IPs that replace them, with the attachment of each. */
  external_ips?: Partial<Record<FloatingIpUse, EndpointIp>>;
  /** The claimed domain. */
  domain?: string;
  /** The DNS service's id of the last change of the records. */
  dns_change?: string;
}

/** An external IP that replaces an object's own floating IP. */
export interface EndpointIp {
  /** The id of its attachment, and the attachment's name in outside systems. */
  attachment: string;
  name: string;
  address: string;
  /** Whether it is connected already; only then do DNS and status show it. */
  leads?: true;
}

/** An external IP that was created together with its target and its attachment. */
export interface AutomaticIp extends Omit<EndpointIp, "leads"> {
  /** The id of the external IP. */
  external_ip: string;
}

/** The outside address of each use: an external IP that leads to it, or else its own. */
export function outsideOf({
  floating_ips: own,
  external_ips: external,
}: Pick<SiteRecord, "floating_ips" | "external_ips">): Record<FloatingIpUse, string> | undefined {
  const of = (use: FloatingIpUse) => (external?.[use]?.leads ? external[use].address : own?.[use]);
  const [api, ingress] = [of("api"), of("ingress")];
  return api !== undefined && ingress !== undefined ? { api, ingress } : undefined;
}

/** The parts of an object with hosts, in the order of their creation. */
export const siteParts = [
  "layer2",
  "layer3",
  "attachments",
  "floating_ips",
  "dns_records",
  "storage",
] as const;
/**
 * The parts of tenants' networks: a network's router and its outbound access, or its namespace on a hub; a
 * subnet's connection to the network; a group's rules; an external IP's inbound access.
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

/** The network configuration of hosts. */
interface HostNetwork {
  prefix: string;
  gateway: string;
  dns_servers: string[];
}

/** A network, without its inside addresses. */
export interface NetworkPlan extends HostNetwork {
  /** The position of the prefix among the site's prefixes. */
  number: number;
  range: { first: string; last: string };
}

/**
 * Each use has an inside address outside the DHCP range. The hub announces the address of the API, and the
 * cluster announces the address of the ingress.
 */
export type OwnNetwork = NetworkPlan & Record<FloatingIpUse, string>;

/** A tenant's subnet, with a claimed address for each NIC and each use. */
export interface SharedNetwork extends HostNetwork, Record<FloatingIpUse, string> {
  /** By the names from `nicName`. */
  nics: Record<string, string>;
  /**
   * Whether the API's address is claimed on the hub too: tenants may have equal prefixes, and a hub announces
   * an address only once.
   */
  pinned?: true;
}

export type NetworkRecord = OwnNetwork | SharedNetwork;

/** The position of the prefix, for a network of the object's own. */
export const prefixNumberOf = (network: NetworkRecord | undefined): number | undefined =>
  network && "number" in network ? network.number : undefined;
