import type { TaggedOwner } from "../owner.ts";

/**
 * The DHCP port, for sites whose fabric gives no leases: an owner's subnet, and what NICs in it are told.
 * Every call may be repeated, and what it has changed outlasts a restart of the server once it has answered:
 * a call that was cut off between two requests is repaired by the next. No call touches a subnet without this
 * owner's ownership tag: `ensure` and `reserve` throw `Taken` for it, `remove` leaves it. All throw
 * `Unavailable` when the server does not answer or cannot do what we need of it, and `Rejected`, with the
 * server's message, when it refuses.
 */
export interface Dhcp {
  /** Serves the subnet in this way; its reservations stay. */
  ensure(subnet: OwnedSubnet, plan: SubnetPlan): Promise<void>;
  /**
   * Sets the owner's reservations in the subnet to exactly these. Nobody else gets the address of a
   * reservation; the lease of one that goes, goes too. Throws Rejected where the subnet is not served.
   */
  reserve(subnet: OwnedSubnet, reservations: Reservation[]): Promise<void>;
  /** The present state of the subnet. */
  observe(subnet: OwnedSubnet, plan: SubnetPlan): Promise<DhcpObservation>;
  /** Serves the subnet no more, and forgets its reservations and leases; it may not be there. */
  remove(subnet: OwnedSubnet): Promise<void>;
  /** Every subnet with an ownership tag, of any owner; reservations go with their subnet. */
  observeAll(): Promise<OwnedSubnet[]>;
  /** What the server does not have and we need, for people to read. */
  lacks(): Promise<string[]>;
}

/** An owner's subnet, of which a server has one with this prefix. */
export interface OwnedSubnet extends TaggedOwner {
  /** Such as 10.0.3.0/26. */
  prefix: string;
}

/** What the server tells each NIC in a subnet. */
export interface SubnetPlan {
  gateway: string;
  /** The addresses for whoever asks. Without it, only NICs with a reservation are answered. */
  range?: { first: string; last: string };
  dnsServers: string[];
}

/** What the server does for one NIC. */
export interface Reservation {
  /** In lower case with colons, such as 52:54:00:12:34:56. */
  mac: string;
  /** Its address; absent means any of the range. */
  address?: string;
  /** Where it boots from over the network. */
  boot?: { server: string; file: string };
}

export interface DhcpObservation {
  /** `foreign`: somebody else has a subnet of this prefix. `differs`: ours is served in another way. */
  state: "absent" | "foreign" | "differs" | "done";
  /** The owner's, in the order of their MAC addresses. */
  reservations: Reservation[];
}
