import { AppError, type ErrorOptions } from "../../error.ts";
import type { HostId } from "../../id.ts";
import type { Owner, TaggedOwner } from "../owner.ts";

/**
 * The fabric port: networks at the provider, each with an owner. Names derive from the owner, so
 * every call may be repeated: it finds what an earlier one made, also one that ended between two of
 * its requests. Every call throws `Unavailable` when the fabric cannot be
 * asked (`Exhausted` when it has none left) and `Rejected` when it refuses, in its own words.
 */
export interface Fabric {
  /** The layer 2 network. Throws `Taken` when the VLAN id is somebody else's. */
  ensureLayer2(network: OwnedNetwork, vlan: number): Promise<Progress>;
  /** Prefix with DHCP and DNS servers, gateway, and a router to the outside. Needs layer 2. */
  ensureLayer3(network: OwnedNetwork, plan: Layer3): Promise<Progress>;
  /** Binds the switch ports of hosts to the network. Needs layer 3. One answer a link, in their order. */
  ensureAttachments(network: OwnedNetwork, links: HostLink[]): Promise<Attachment[]>;
  /** An address outside that leads to one inside. Needs layer 3. */
  ensureFloatingIp(network: OwnedNetwork, plan: FloatingIpPlan): Promise<FloatingIp>;

  /** What of its settings the fabric does not have, for people to read. */
  lacks(): Promise<string[]>;
  /** What there is of the network now. */
  observe(network: OwnedNetwork): Promise<Observation>;
  /** Everything on the fabric that Slipway made, for whatever owner. */
  observeAll(): Promise<OwnedObject[]>;

  /** All addresses outside and what holds the addresses inside. What is not there is fine, as below. */
  removeFloatingIps(network: OwnedNetwork): Promise<Removal>;
  /** Detaches these hosts; all of the network's when none are named. */
  removeAttachments(network: OwnedNetwork, hosts?: HostId[]): Promise<Removal>;
  removeLayer3(network: OwnedNetwork): Promise<Removal>;
  removeLayer2(network: OwnedNetwork): Promise<Removal>;
}

/** An owner's network; attachments and floating IPs refer to it. */
export interface OwnedNetwork extends Owner {
  /** What its addresses outside are for, in the owner's words; their names derive from these. */
  uses: readonly string[];
}

export interface Layer3 {
  /** Such as 10.0.3.0/26. */
  prefix: string;
  gateway: string;
  /** What DHCP may give; the addresses of api and ingress lie outside. */
  range: { first: string; last: string };
  dnsServers: string[];
}

/** A NIC of a host, and the switch port it is cabled to, as the inventory knows it. */
export interface HostLink {
  host: HostId;
  mac: string;
  switch: string;
  port: string;
}

export interface FloatingIpPlan {
  /** One of the network's uses. */
  use: string;
  /** The address inside; it is held for the network even while no machine has it. */
  internal: string;
  /** The one that was claimed; absent means any. */
  address?: string;
}

/** How far a thing is. `unknown`: it is there, and the fabric says nothing of its state that we understand. */
export type Progress =
  | { state: "absent" }
  | { state: "pending"; message: string }
  | { state: "done" }
  | { state: "failed"; message: string }
  | { state: "unknown"; message: string };

/** `pending`: something else has to go first, in the fabric's words. */
export type Removal = { state: "absent" } | { state: "pending"; message: string };

export type Attachment = { host: string; mac: string; address?: string } & (
  | { state: "bound" }
  | { state: "pending"; message: string }
  /** The fabric will not bind it: it does not know the switch or the port, or it failed there. */
  | { state: "refused"; message: string }
  | { state: "unknown"; message: string }
);

export interface FloatingIp {
  use: string;
  address: string;
  internal?: string;
  progress: Progress;
}

export interface Observation {
  layer2: Progress;
  vlan?: number;
  layer3: Progress;
  prefix?: string;
  attachments: Attachment[];
  floatingIps: FloatingIp[];
  /** In the order in which they have to go. */
  remaining: FabricObject[];
}

export interface FabricObject {
  kind: "floating_ip" | "router" | "port" | "subnet" | "network";
  id: string;
  name: string;
}

export interface OwnedObject extends FabricObject {
  owner: TaggedOwner;
  /** What it has of what is claimed: a network its VLAN id, a subnet its prefix, a floating IP its address. */
  number?: string;
}

/** The fabric has none left of something, or no quota for it: the caller waits. */
export class Exhausted extends AppError {
  /** Such as network, floatingip, address or vlan. */
  readonly resource: string;

  constructor(resource: string, message: string, options: ErrorOptions = {}) {
    super("Unavailable", message, options);
    this.resource = resource;
  }
}

/** What we claimed is in use on the fabric by somebody that Slipway does not know: claim another. */
export class Taken extends AppError {
  readonly resource: string;

  constructor(resource: string, message: string, options: ErrorOptions = {}) {
    super("Rejected", message, options);
    this.resource = resource;
  }
}
