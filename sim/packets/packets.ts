import ipaddr from "ipaddr.js";

/** Packets in simulated networks, in the common form of the fabric and the hubs. */

/** The source or destination of a packet: a NIC, by its MAC or its pod's name, or an address. */
export type Place = { nic: string } | { address: string };

export type Protocol = "tcp" | "udp" | "icmp";

/** Where a packet stopped. */
export type Stop =
  /** The sending NIC is in no network, or has no address of the IP version. */
  | "sender"
  | "egress group"
  | "ingress group"
  /** No NIC has the address, or the NIC with it is not in the network. */
  | "receiver"
  /** On the way from one subnet to another, or outside. */
  | "router"
  /** On the way in from outside. */
  | "outside"
  /** Another NIC has the address where the packet arrived. */
  | "elsewhere";

export type Fate =
  | {
      arrives: true;
      /** The NIC, or the outside address, that received it. */
      at: string;
      /** The source address that the receiver sees. */
      source: string;
    }
  | { arrives: false; stopped: Stop; why: string };

/** A network that carries packets according to its configuration. */
export interface PacketCarrier {
  /**
   * Delivers or stops the first packet of a connection, which arrives only if its replies do. A NIC is addressed by its
   * first IPv4 address, else by its first address; any other place by its address. `port` is the receiver's; for ICMP
   * it is the type.
   */
  reaches(from: Place, to: Place, protocol: Protocol, port: number): Fate;
}

export const stop = (stopped: Stop, why: string): Fate => ({ arrives: false, stopped, why });

const ofNobodyOutside = ["private", "uniqueLocal", "linkLocal", "loopback", "carrierGradeNat"];

/** Whether an address can exist outside. */
export const isPublic = (address: string): boolean =>
  !ofNobodyOutside.includes(familyOf(address).parse(address).range());

/** With the family given, `ipaddr` does not try both. */
const familyOf = (address: string) => (address.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4);
