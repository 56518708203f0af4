import type { TaggedOwner } from "../owner.ts";

/**
 * The DHCP port, for sites whose fabric has no DHCP: serves an owner's subnet, with addresses and boot
 * options for its NICs. Every call may be repeated: a repeated call completes one that was cut off between
 * two requests. Answered changes survive a restart of the server. No call touches a subnet without this
 * owner's ownership tag: `ensure` and `reserve` throw `Taken` for it, `remove` leaves it. All throw
 * `Unavailable` when the server does not answer or lacks a needed feature, and `Rejected`, with the server's
 * message, when it refuses.
 */
export interface Dhcp {
  /** Serves the subnet by this plan; existing reservations stay. */
  ensure(subnet: OwnedSubnet, plan: SubnetPlan): Promise<void>;
  /**
   * Sets the owner's reservations in the subnet to exactly these. No other NIC gets a reserved address; a
   * removed reservation loses its lease too. Throws Rejected when the subnet is not served.
   */
  reserve(subnet: OwnedSubnet, reservations: Reservation[]): Promise<void>;
  /** The current state of the subnet. */
  observe(subnet: OwnedSubnet, plan: SubnetPlan): Promise<DhcpObservation>;
  /** Stops serving the subnet and deletes its reservations and leases. Succeeds if the subnet is absent. */
  remove(subnet: OwnedSubnet): Promise<void>;
  /** Every subnet with an ownership tag, of any owner; reservations go with their subnet. */
  observeAll(): Promise<OwnedSubnet[]>;
  /** Features that the server lacks and Slipway needs, for people to read. */
  lacks(): Promise<string[]>;
}

/** An owner's subnet; a server has at most one subnet of this prefix. */
export interface OwnedSubnet extends TaggedOwner {
  /** Such as 10.0.3.0/26. */
  prefix: string;
}

/** The DHCP options of a subnet. */
export interface SubnetPlan {
  gateway: string;
  /** The dynamic pool. If absent, the server answers only NICs with a reservation. */
  range?: { first: string; last: string };
  dnsServers: string[];
}

/** The DHCP reservation of one NIC. */
export interface Reservation {
  /** In lower case with colons, such as 52:54:00:12:34:56. */
  mac: string;
  /** The NIC's address; if absent, any of the range. */
  address?: string;
  /** The network boot options: next server and boot file. */
  boot?: { server: string; file: string };
}

export interface DhcpObservation {
  /**
   * `foreign`: a subnet of this prefix exists without this owner's tag. `differs`: the owner's subnet is
   * served by another plan.
   */
  state: "absent" | "foreign" | "differs" | "done";
  /** The owner's reservations, in the order of their MAC addresses. */
  reservations: Reservation[];
}
