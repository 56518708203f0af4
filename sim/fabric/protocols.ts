import type { Version } from "./addresses.ts";

/** The protocols that Neutron knows by name; others are numbers. */
export const protocolNumbers: Readonly<Record<string, number>> = {
  ah: 51,
  dccp: 33,
  egp: 8,
  esp: 50,
  gre: 47,
  icmp: 1,
  icmpv6: 58,
  igmp: 2,
  ipip: 4,
  "ipv6-encap": 41,
  "ipv6-frag": 44,
  "ipv6-icmp": 58,
  "ipv6-nonxt": 59,
  "ipv6-opts": 60,
  "ipv6-route": 43,
  ospf: 89,
  pgm: 113,
  rsvp: 46,
  sctp: 132,
  tcp: 6,
  udp: 17,
  udplite: 136,
  vrrp: 112,
};

export const isProtocol = (text: string): boolean =>
  text in protocolNumbers || (/^\d{1,3}$/.test(text) && Number(text) <= 255);

/** The number of a protocol for this IP version; null for all protocols. */
export function protocolNumber(protocol: string | null, version: Version): number | null {
  if (protocol === null) return null;
  if (protocol === "icmp" && version === 6) return 58;
  return protocolNumbers[protocol] ?? Number(protocol);
}

/** The canonical name of a protocol. */
export const protocolName = (protocol: string | null): string => `${protocolNumber(protocol, 4)}`;
