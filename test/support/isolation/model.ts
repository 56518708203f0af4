import ipaddr from "ipaddr.js";
import type { Protocol } from "../../../sim/packets/packets.ts";

/**
 * The rules of packets as tenants are told them: a reference that knows what was ordered and which addresses things
 * have, and nothing of how it is carried out.
 */

export interface Rule {
  protocol: `PROTOCOL_${"TCP" | "UDP" | "ICMP" | "ALL"}`;
  port_from?: number;
  port_to?: number;
  ipv4_cidr?: string;
  ipv6_cidr?: string;
  security_group?: { id: string };
}

type Direction = "ingress" | "egress";

/** What has an address in a network: a NIC, a pod, or an endpoint of a cluster. */
export interface Member {
  /** For people. */
  name: string;
  network: string;
  addresses: readonly string[];
  /** The ids of its groups, or none for the network's default group. Undefined where everything passes. */
  groups: readonly string[] | undefined;
  /** An outside address of its own, which what it sends has there; the network's unless told. */
  outside?: string;
}

export interface Orders {
  members: readonly Member[];
  /** By the ids of groups. */
  rules: ReadonlyMap<string, Record<Direction, readonly Rule[]>>;
  /** Outside addresses, each with the member that it leads to. */
  waysIn: ReadonlyMap<string, Member>;
  /** The outside address of all packets from a network; a network without one does not get out. */
  waysOut: ReadonlyMap<string, string>;
}

export interface Question {
  /** A member, an address outside, or a machine that nobody has. */
  from: Member | string | undefined;
  destination: string;
  /** Whom the packet is for; undefined for whoever has the destination. */
  to?: Member;
  protocol: Protocol;
  port: number;
}

/** The outside addresses of a site. All others that are public are somewhere in the world, and answer. */
export const outsideNetwork = "203.0.113.0/24";

/** The address that the receiver sees of the sender; undefined where the packet must not arrive. */
export function seenFrom(orders: Orders, question: Question): string | undefined {
  const { from, to, destination } = question;
  if (from === undefined) return undefined;
  if (typeof from !== "string" && !lets(orders, from, "egress", question, destination))
    return undefined;
  const isInside = isPrivate(destination);
  const source = isInside ? ownAddress(from, destination) : addressOutside(orders, from);
  const receiver = isInside
    ? neighbourAt(orders, from, destination)
    : orders.waysIn.get(destination);
  if (source === undefined || (to && receiver !== to)) return undefined;
  // What goes from somebody outside to another one does not come by here.
  if (!receiver) {
    const isOurs = isInside || isIn(destination, outsideNetwork) || typeof from === "string";
    return isOurs ? undefined : source;
  }
  return lets(orders, receiver, "ingress", question, source) ? source : undefined;
}

/** Inside addresses mean something only within a network. */
const neighbourAt = (
  { members }: Orders,
  from: Member | string,
  address: string,
): Member | undefined =>
  typeof from === "string"
    ? undefined
    : members.find((one) => one.network === from.network && one.addresses.includes(address));

const ownAddress = (from: Member | string, like: string): string | undefined =>
  typeof from === "string" ? from : from.addresses.find((address) => isV6(address) === isV6(like));

const addressOutside = ({ waysOut }: Orders, from: Member | string): string | undefined =>
  typeof from === "string" ? from : (from.outside ?? waysOut.get(from.network));

/** Whether the groups of a member let a packet in from, or out to, an address. */
function lets(
  orders: Orders,
  member: Member,
  direction: Direction,
  packet: Pick<Question, "protocol" | "port">,
  other: string,
): boolean {
  const { groups } = member;
  if (!groups) return true;
  const among = (isOne: (ids: readonly string[]) => boolean) =>
    orders.members.some(
      (one) =>
        one.network === member.network &&
        one.addresses.includes(other) &&
        one.groups !== undefined &&
        isOne(one.groups),
    );
  // The default group lets everything out, and in what its own members send.
  if (groups.length === 0) return direction === "egress" || among((ids) => ids.length === 0);
  const isOther = ({ ipv4_cidr, ipv6_cidr, security_group }: Rule) =>
    isIn(other, ipv4_cidr) ||
    isIn(other, ipv6_cidr) ||
    (security_group !== undefined && among((ids) => ids.includes(security_group.id)));
  return groups
    .flatMap((group) => orders.rules.get(group)?.[direction] ?? [])
    .some((rule) => isFor(rule, packet) && isOther(rule));
}

const protocols: Record<Rule["protocol"], Protocol | undefined> = {
  PROTOCOL_TCP: "tcp",
  PROTOCOL_UDP: "udp",
  PROTOCOL_ICMP: "icmp",
  PROTOCOL_ALL: undefined,
};

function isFor(
  { protocol, port_from: from, port_to: to = from }: Rule,
  packet: Pick<Question, "protocol" | "port">,
): boolean {
  const wanted = protocols[protocol];
  if (wanted !== undefined && wanted !== packet.protocol) return false;
  return from === undefined || to === undefined || (from <= packet.port && packet.port <= to);
}

const isV6 = (address: string): boolean => address.includes(":");

/** Told its family, `ipaddr` does not try both. */
const familyOf = (address: string) => (isV6(address) ? ipaddr.IPv6 : ipaddr.IPv4);

function isIn(address: string, cidr: string | undefined): boolean {
  if (cidr === undefined || isV6(cidr) !== isV6(address)) return false;
  const family = familyOf(address);
  return family.parse(address).match(family.parseCIDR(cidr));
}

const isPrivate = (address: string): boolean =>
  ["private", "uniqueLocal", "carrierGradeNat"].includes(familyOf(address).parse(address).range());
