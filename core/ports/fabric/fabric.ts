import { AppError, type ErrorOptions } from "../../error.ts";
import type { HostId } from "../../id.ts";
import type { Owner, TaggedOwner } from "../owner.ts";

/**
 * The fabric port: the provider's networks, each with an owner. Names derive from the owner, so every call
 * may be repeated: it finds the objects of an earlier call, even of one that was cut off between two
 * requests. Every call throws `Unavailable` when the fabric does not answer (`Exhausted` when a resource or
 * quota has run out) and `Rejected`, with the fabric's message, when the fabric refuses.
 */
export interface Fabric {
  /** Creates the layer 2 network. Throws `Taken` when somebody else uses the VLAN id. */
  ensureLayer2(network: OwnedNetwork, vlan: number): Promise<ObjectState>;
  /**
   * Creates the subnet with a gateway, a router to the outside, and DHCP if the plan says so. Needs layer 2.
   */
  ensureLayer3(network: OwnedNetwork, plan: Layer3): Promise<ObjectState>;
  /**
   * Binds the switch ports of hosts to the network. Needs layer 3. Answers one attachment for each link, in
   * the order of the links. Throws Unavailable while one of their security groups is missing.
   */
  ensureAttachments(network: OwnedNetwork, links: HostLink[]): Promise<Attachment[]>;
  /**
   * Sets the security groups of an owner's ports in somebody else's segment to exactly the groups
   * that the segment names. Pending until the fabric shows them on all ports. Throws Unavailable
   * while one of the groups is missing.
   */
  ensureGroups(network: OwnedNetwork & { within: Segment }): Promise<ObjectState>;
  /** Creates a floating IP that leads to an inside address. Needs layer 3. */
  ensureFloatingIp(network: OwnedNetwork, plan: FloatingIpPlan): Promise<FloatingIp>;

  /**
   * Points a floating IP with an owner of its own at the inside address of one use of a network.
   * Meanwhile the network's own floating IP for that use is kept, but disconnected. After the
   * removal of the other, `ensureFloatingIp` connects it again. Needs layer 3. Throws `Taken` when
   * somebody else uses the address.
   */
  ensureExternalIp(owner: Owner, plan: ExternalIpPlan): Promise<ObjectState>;
  /** Whether the floating IP leads to its inside address. */
  observeExternalIp(
    owner: Owner,
    plan: Pick<ExternalIpPlan, "address" | "internal">,
  ): Promise<ObjectState>;

  /** Settings that the fabric lacks and Slipway needs, for people to read. */
  lacks(): Promise<string[]>;
  /** The current state of the network. */
  observe(network: OwnedNetwork): Promise<FabricObservation>;
  /** The given NICs that are in a network of any owner, by MAC address. */
  attached(macs: readonly string[]): Promise<string[]>;
  /** Every object on the fabric with an ownership tag, of any owner. */
  observeAll(): Promise<OwnedFabricObject[]>;

  /**
   * Removes all floating IPs, and the ports that reserve inside addresses. Like every removal below, succeeds
   * if there are none.
   */
  removeFloatingIps(network: OwnedNetwork): Promise<Removal>;
  removeExternalIp(owner: Owner): Promise<Removal>;
  /** Detaches these hosts or NICs, or all hosts of the network when none are named. */
  removeAttachments(network: OwnedNetwork, only?: Detached): Promise<Removal>;
  removeLayer3(network: OwnedNetwork): Promise<Removal>;
  removeLayer2(network: OwnedNetwork): Promise<Removal>;
}

/** An owner's network; attachments and floating IPs refer to it. */
export interface OwnedNetwork extends Owner {
  /**
   * The purposes of the network's floating IPs, in the owner's words, such as `api`; the names of the
   * floating IPs derive from them.
   */
  uses: readonly string[];
  /** The segment of the owner's hosts when it belongs to somebody else, such as a tenant's subnet. */
  within?: Segment;
}

/**
 * A segment with prefixes in which many owners have hosts. Their attachments and floating IPs name their
 * addresses.
 */
export interface Segment {
  /** Its owner's name on systems outside. */
  name: string;
  /** The names of the security groups of hosts in it. */
  groups: readonly string[];
}

export interface Layer3 {
  /** The prefix, such as 10.0.3.0/26. */
  prefix: string;
  gateway: string;
  /** Whether the fabric serves DHCP to the hosts. */
  hasDhcp: boolean;
  /** The hosts' addresses; the addresses of API and ingress are outside the range. */
  range: { first: string; last: string };
  dnsServers: string[];
}

/** A NIC of a host, and the switch port it is cabled to, as the inventory knows it. */
export interface HostLink {
  host: HostId;
  mac: string;
  switch: string;
  port: string;
  /** The claimed address; if absent, any of the network's range. */
  address?: string;
}

/** Hosts with all their NICs, or single NICs by MAC address. */
export type Detached = { hosts: readonly HostId[] } | { macs: readonly string[] };

export interface FloatingIpPlan {
  /** One of the network's `uses`. */
  use: string;
  /** The inside address. It is reserved in the network even while no machine uses it. */
  internal: string;
  /** The claimed outside address; if absent, any. */
  address?: string;
}

/** The target of a floating IP that has an owner of its own. */
export interface ExternalIpPlan extends FloatingIpPlan {
  network: OwnedNetwork;
  address: string;
}

/** The progress of an object. `unknown`: it exists, but the fabric reports no state that Slipway knows. */
export type ObjectState =
  | { state: "absent" }
  | { state: "pending"; message: string }
  | { state: "done" }
  | { state: "failed"; message: string }
  | { state: "unknown"; message: string };

/** `pending`: another object has to be removed first; the message is the fabric's. */
export type Removal = { state: "absent" } | { state: "pending"; message: string };

export type Attachment = { host: string; mac: string; address?: string } & (
  | { state: "bound" }
  | { state: "pending"; message: string }
  /**
   * The fabric refuses to bind the port: it does not know the switch or the port, or the binding failed
   * there.
   */
  | { state: "refused"; message: string }
  | { state: "unknown"; message: string }
);

export interface FloatingIp {
  use: string;
  address: string;
  internal?: string;
  progress: ObjectState;
}

export interface FabricObservation {
  layer2: ObjectState;
  vlan?: number;
  layer3: ObjectState;
  prefix?: string;
  attachments: Attachment[];
  floatingIps: FloatingIp[];
  /** The remaining objects, in the order in which they have to be removed. */
  remaining: FabricObject[];
}

export interface FabricObject {
  kind: "floating_ip" | "router" | "port" | "subnet" | "network" | "security_group";
  id: string;
  name: string;
}

export interface OwnedFabricObject extends FabricObject {
  owner: TaggedOwner;
  /**
   * The claimed number of the object: the VLAN id of a network, the prefix of a subnet, the address
   * of a floating IP.
   */
  number?: string;
}

/** A resource or its quota on the fabric has run out: the caller waits. */
export class Exhausted extends AppError {
  /** The resource, such as network, floatingip, address or vlan. */
  readonly resource: string;

  constructor(resource: string, message: string, options: ErrorOptions = {}) {
    super("Unavailable", message, options);
    this.resource = resource;
  }
}
