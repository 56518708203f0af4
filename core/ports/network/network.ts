import type { Family } from "../../prefix.ts";
import type { ObjectState, Removal } from "../fabric/fabric.ts";
import type { Owner } from "../owner.ts";

/**
 * The network port: tenants' networks, which the strategy of a network class realizes. Each part has an
 * owner, from which its names outside derive, so every call may be repeated: it finds what an earlier call
 * has created, even one that was cut off. Every call throws `Unavailable` when the system does not answer,
 * and `Rejected`, with the system's message, when it refuses.
 */
export interface Networks {
  /** Creates a network with these prefixes, without a way outside, and its default group. */
  ensureNetwork(network: Owner, prefixes: readonly string[]): Promise<ObjectState>;
  /** Removes a network with its default group. Pending while something is in it. */
  removeNetwork(network: Owner): Promise<Removal>;
  /** Creates a subnet with gateway and DHCP, and connects it to the other subnets of its network. */
  ensureSubnet(subnet: InNetwork, plan: NetworkSubnetPlan): Promise<ObjectState>;
  /** Disconnects a subnet and removes it. Pending while something is in it. */
  removeSubnet(subnet: InNetwork): Promise<Removal>;
  /**
   * Gives a network outbound access (SNAT) by an outside address of its own; nothing comes in by it. Throws
   * Rejected when somebody else has the address.
   */
  ensureWayOut(network: Owner, way: WayOut): Promise<ObjectState>;
  /**
   * Removes outbound access; then the address is free. Does nothing if the access uses another
   * address.
   */
  removeWayOut(network: Owner, way: WayOut): Promise<Removal>;
  /**
   * Sets a security group's rules to exactly this version. Answers the version in effect at every
   * end, which is an earlier one until all ends have reported this one.
   */
  ensureGroup(group: InNetwork, rules: GroupRules): Promise<AppliedRules>;
  /** Removes a security group. Pending while a port uses it. */
  removeGroup(group: InNetwork): Promise<Removal>;
}

/** A network's outbound access. */
export interface WayOut {
  /** The outside IPv4 address that packets from the network have as their source. */
  address: string;
}

export interface GroupRules {
  version: number;
  rules: readonly GroupRule[];
}

/** A rule that permits traffic of one IP family. */
export interface GroupRule {
  direction: "ingress" | "egress";
  family: Family;
  protocol: "tcp" | "udp" | "icmp" | "any";
  /** All ports if absent. */
  ports?: { first: number; last: number };
  /** The other end: a prefix, or the members of another security group. */
  remote: { cidr: string } | { group: Owner };
}

export type AppliedRules =
  | { state: "applied"; version: number }
  | { state: "pending"; message: string };

/**
 * The default group, for members of a network without another group: permits everything outbound, and traffic
 * among its members.
 */
export const defaultGroupOf = (network: Owner): InNetwork => ({
  ...network,
  name: `${network.name}-default`,
  network,
});

/** The rules of the default group. */
export const defaultRulesOf = (network: Owner): GroupRules => {
  const group = defaultGroupOf(network);
  const rules = everything.flatMap(([family, cidr]): GroupRule[] => [
    { direction: "egress", family, protocol: "any", remote: { cidr } },
    { direction: "ingress", family, protocol: "any", remote: { group } },
  ]);
  return { version: 1, rules };
};

/** For each family, the prefix that contains all addresses. */
export const everything = [
  ["ipv4", "0.0.0.0/0"],
  ["ipv6", "::/0"],
] as const satisfies [Family, string][];

/** The owner of a subnet or a group, with the owner of its network. */
export interface InNetwork extends Owner {
  network: Owner;
}

export interface NetworkSubnetPlan {
  /** At most one for each family. */
  prefixes: readonly PrefixPlan[];
  dnsServers: readonly string[];
}

export interface PrefixPlan {
  /** The prefix, such as 10.0.3.0/26 or fd00:3::/64. */
  cidr: string;
  gateway: string;
  /** The range for the DHCP servers' own addresses; all other addresses are claimed one by one. */
  dhcp: { first: string; last: string };
}
