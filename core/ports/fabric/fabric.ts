import { AppError, type ErrorOptions } from "../../error.ts";
import type { HostId } from "../../id.ts";
import type { Owner, TaggedOwner } from "../owner.ts";

/**
 * The fabric port: networks at the provider, each with an owner. Names derive from the owner, so every
 * call may be repeated: it finds the objects of an earlier call, even of one that was cut off between
 * two requests. Every call throws `Unavailable` when the fabric does not answer (`Exhausted` when it
 * has run out of something) and `Rejected`, with the fabric's message, when the fabric refuses.
 */
export interface Fabric {
  /** Makes the layer 2 network. Throws `Taken` when somebody else uses the VLAN id. */
  ensureLayer2(network: OwnedNetwork, vlan: number): Promise<ObjectState>;
  /** Makes the prefix with a gateway, a router to the outside, and DHCP unless others give it. Needs layer 2. */
  ensureLayer3(network: OwnedNetwork, plan: Layer3): Promise<ObjectState>;
  /**
   * Binds the switch ports of hosts to the network. Needs layer 3. Answers one attachment for each
   * link, in the order of the links. Throws Unavailable while a security group that they are to have is missing.
   */
  ensureAttachments(network: OwnedNetwork, links: HostLink[]): Promise<Attachment[]>;
  /**
   * Has every port of an owner in somebody else's segment have exactly the groups that the segment names. Pending until
   * the fabric shows all of them so. Throws Unavailable while one of the groups is missing.
   */
  ensureGroups(network: OwnedNetwork & { within: Segment }): Promise<ObjectState>;
  /** Makes an outside address that leads to an inside one. Needs layer 3. */
  ensureFloatingIp(network: OwnedNetwork, plan: FloatingIpPlan): Promise<FloatingIp>;

  /**
   * Has an outside address of its owner lead to the inside address of a use of somebody's network. The network's own
   * outside address for that use stays its own and leads nowhere meanwhile; `ensureFloatingIp` has it lead there again,
   * once the other one is removed. Needs layer 3. Throws `Taken` when somebody else uses the address.
   */
  ensureExternalIp(owner: Owner, plan: ExternalIpPlan): Promise<ObjectState>;
  /** Whether it leads to where it should. */
  observeExternalIp(
    owner: Owner,
    plan: Pick<ExternalIpPlan, "address" | "internal">,
  ): Promise<ObjectState>;

  /** The settings that the fabric does not have, for people to read. */
  lacks(): Promise<string[]>;
  /** The present state of the network. */
  observe(network: OwnedNetwork): Promise<FabricObservation>;
  /** The NICs among these, by MAC address, that are in a network, of whatever owner. */
  attached(macs: readonly string[]): Promise<string[]>;
  /** Every object on the fabric with an ownership tag, of any owner. */
  observeAll(): Promise<OwnedFabricObject[]>;

  /**
   * Removes all outside addresses, and the ports that hold inside addresses. Like every removal below,
   * succeeds if there are none.
   */
  removeFloatingIps(network: OwnedNetwork): Promise<Removal>;
  removeExternalIp(owner: Owner): Promise<Removal>;
  /** Detaches these hosts, or these NICs, or all hosts of the network when none are named. */
  removeAttachments(network: OwnedNetwork, only?: Detached): Promise<Removal>;
  removeLayer3(network: OwnedNetwork): Promise<Removal>;
  removeLayer2(network: OwnedNetwork): Promise<Removal>;
}

/** An owner's network; attachments and floating IPs refer to it. */
export interface OwnedNetwork extends Owner {
  /**
   * The uses of the network's outside addresses, in the owner's words; the names of the addresses
   * derive from them.
   */
  uses: readonly string[];
  /** The segment that its hosts stand in where it is somebody else's, such as a tenant's subnet. */
  within?: Segment;
}

/** A segment with prefixes that many owners stand in. Their attachments and floating IPs name their addresses. */
export interface Segment {
  /** Its owner's name on systems outside. */
  name: string;
  /** The names of the security groups that hosts have in it. */
  groups: readonly string[];
}

export interface Layer3 {
  /** The prefix, such as 10.0.3.0/26. */
  prefix: string;
  gateway: string;
  /** Whether the fabric itself tells hosts their addresses by DHCP. */
  hasDhcp: boolean;
  /** The addresses of hosts; those of api and ingress lie outside the range. */
  range: { first: string; last: string };
  dnsServers: string[];
}

/** A NIC of a host, and the switch port it is cabled to, as the inventory knows it. */
export interface HostLink {
  host: HostId;
  mac: string;
  switch: string;
  port: string;
  /** The claimed address; absent means any of the network's range. */
  address?: string;
}

/** Hosts with all their NICs, or NICs by their MAC addresses. */
export type Detached = { hosts: readonly HostId[] } | { macs: readonly string[] };

export interface FloatingIpPlan {
  /** One of the network's uses. */
  use: string;
  /** The inside address. It is reserved in the network even while no machine has it. */
  internal: string;
  /** The claimed outside address; absent means any. */
  address?: string;
}

/** Where an outside address of somebody else leads to. */
export interface ExternalIpPlan extends FloatingIpPlan {
  network: OwnedNetwork;
  address: string;
}

/** The progress of an object. `unknown`: it exists, but the fabric reports no state that we understand. */
export type ObjectState =
  | { state: "absent" }
  | { state: "pending"; message: string }
  | { state: "done" }
  | { state: "failed"; message: string }
  | { state: "unknown"; message: string };

/** `pending`: another object has to go first; the message is the fabric's. */
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
   * The claimed number that the object uses: a network its VLAN id, a subnet its prefix, a floating IP
   * its address.
   */
  number?: string;
}

/** The fabric has run out of something, or out of quota for it: the caller waits. */
export class Exhausted extends AppError {
  /** The resource that has run out, such as network, floatingip, address or vlan. */
  readonly resource: string;

  constructor(resource: string, message: string, options: ErrorOptions = {}) {
    super("Unavailable", message, options);
    this.resource = resource;
  }
}
