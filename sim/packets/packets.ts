import ipaddr from "ipaddr.js";

/** Packets through simulated networks: what the fabric and the hubs answer alike. */

/** Where a packet begins or is to end: at a NIC, by its MAC or the name of its pod, or at whoever has an address. */
export type Place = { nic: string } | { address: string };

export type Protocol = "tcp" | "udp" | "icmp";

/** Where a packet stopped. */
export type Stop =
  /** The NIC that sends is in no network, or has no address of the family. */
  | "sender"
  | "egress group"
  | "ingress group"
  /** No NIC has the address, or the one that has it is not there. */
  | "receiver"
  /** The way from one subnet to another, or outside. */
  | "router"
  /** The way in from outside. */
  | "outside"
  /** It got somewhere, but somebody else has the address there. */
  | "elsewhere";

export type Fate =
  | {
      arrives: true;
      /** The NIC, or the outside address, at which it arrives. */
      at: string;
      /** The address that the receiver sees as its source. */
      source: string;
    }
  | { arrives: false; stopped: Stop; why: string };

/** A network that carries packets by what was programmed into it. */
export interface PacketCarrier {
  /**
   * What becomes of the first packet of a connection. It arrives only if the replies to it do. A NIC is asked for at
   * its first IPv4 address, or else at its first one; any other is asked for by that address. `port` is that of
   * the receiver; for ICMP it is the type.
   */
  reaches(from: Place, to: Place, protocol: Protocol, port: number): Fate;
}

export const stop = (stopped: Stop, why: string): Fate => ({ arrives: false, stopped, why });

const ofNobodyOutside = ["private", "uniqueLocal", "linkLocal", "loopback", "carrierGradeNat"];

/** Whether somebody outside may have an address. */
export const isPublic = (address: string): boolean =>
  !ofNobodyOutside.includes(familyOf(address).parse(address).range());

/** Told its family, `ipaddr` does not try both. */
const familyOf = (address: string) => (address.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4);
