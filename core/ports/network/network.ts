import type { Family } from "../../prefix.ts";
import type { ObjectState, Removal } from "../fabric/fabric.ts";
import type { Owner } from "../owner.ts";

/**
 * The network port: tenants' networks, made real by whoever a class of networks names. Each part has an owner,
 * from which its names outside derive, so every call may be repeated: it finds what an earlier call has made,
 * even one that was cut off. Every call throws `Unavailable` when the system does not answer, and `Rejected`,
 * with the system's message, when it refuses.
 */
export interface Networks {
  /** Makes a network with these prefixes, from which nothing leads outside, and its default group. */
  ensureNetwork(network: Owner, prefixes: readonly string[]): Promise<ObjectState>;
  /** Removes a network with its default group. Pending while something is in it. */
  removeNetwork(network: Owner): Promise<Removal>;
  /** Makes a subnet's prefixes, with gateway and DHCP, and connects it to the other subnets of its network. */
  ensureSubnet(subnet: InNetwork, plan: NetworkSubnetPlan): Promise<ObjectState>;
  /** Disconnects a subnet and removes its prefixes. Pending while something is in it. */
  removeSubnet(subnet: InNetwork): Promise<Removal>;
  /**
   * Lets what is in a network reach the outside with this address of its own, by which nothing comes in. Throws
   * Rejected when somebody else has the address.
   */
  ensureWayOut(network: Owner, way: WayOut): Promise<ObjectState>;
  /** Takes that way away, after which the address is free. Does nothing where the way has another address. */
  removeWayOut(network: Owner, way: WayOut): Promise<Removal>;
  /**
   * Has a security group allow exactly what this version of its rules allows. Answers the version that every end
   * applies, which is another one as long as some have not told that they apply this one.
   */
  ensureGroup(group: InNetwork, rules: GroupRules): Promise<AppliedRules>;
  /** Removes a security group. Pending while something has it. */
  removeGroup(group: InNetwork): Promise<Removal>;
}

/** A network's way to the outside. */
export interface WayOut {
  /** The outside address, of IPv4, that packets from the network have there. */
  address: string;
}

export interface GroupRules {
  version: number;
  rules: readonly GroupRule[];
}

/** What may pass; one family each. */
export interface GroupRule {
  direction: "ingress" | "egress";
  family: Family;
  protocol: "tcp" | "udp" | "icmp" | "any";
  /** All of them unless given. */
  ports?: { first: number; last: number };
  /** The other end: a prefix, or the members of another group. */
  remote: { cidr: string } | { group: Owner };
}

export type AppliedRules =
  | { state: "applied"; version: number }
  | { state: "pending"; message: string };

/** The group of the members of a network that have no other: everything may leave them, and each reaches the others. */
export const defaultGroupOf = (network: Owner): InNetwork => ({
  ...network,
  name: `${network.name}-default`,
  network,
});

/** The rules of that group. */
export const defaultRulesOf = (network: Owner): GroupRules => {
  const group = defaultGroupOf(network);
  const rules = everything.flatMap(([family, cidr]): GroupRule[] => [
    { direction: "egress", family, protocol: "any", remote: { cidr } },
    { direction: "ingress", family, protocol: "any", remote: { group } },
  ]);
  return { version: 1, rules };
};

/** The prefix of each family in which all addresses are. */
export const everything = [
  ["ipv4", "0.0.0.0/0"],
  ["ipv6", "::/0"],
] as const satisfies [Family, string][];

/** The owner of a subnet or a group, and that of the network that it is a part of. */
export interface InNetwork extends Owner {
  network: Owner;
}

export interface NetworkSubnetPlan {
  /** At most one of each family. */
  prefixes: readonly PrefixPlan[];
  dnsServers: readonly string[];
}

export interface PrefixPlan {
  /** The prefix, such as 10.0.3.0/26 or fd00:3::/64. */
  cidr: string;
  gateway: string;
  /** The addresses that DHCP servers take for themselves; all others are given out by name. */
  dhcp: { first: string; last: string };
}
