import { ownerOf } from "../../at-site/owner.ts";
import type { GroupRule } from "../../ports/network/network.ts";
import type { SecurityGroup } from "./model.ts";
import { directions, type Protocol, type SecurityRule } from "./rules.ts";

/** Converts the rules of a group for the network port. Pure. */

const protocolOf: Record<Protocol, GroupRule["protocol"]> = {
  PROTOCOL_TCP: "tcp",
  PROTOCOL_UDP: "udp",
  PROTOCOL_ICMP: "icmp",
  PROTOCOL_ALL: "any",
};

/** Each rule, once for each IP family of its remote end. `groups`: the groups that rules refer to, by id. */
export const plannedRules = (
  { spec }: SecurityGroup,
  groups: ReadonlyMap<string, SecurityGroup>,
): GroupRule[] =>
  directions.flatMap((direction) =>
    spec[direction].flatMap((rule) =>
      remotesOf(rule, groups).map(([family, remote]) => ({
        direction,
        family,
        protocol: protocolOf[rule.protocol],
        ...(rule.port_from !== undefined &&
          rule.port_to !== undefined && { ports: { first: rule.port_from, last: rule.port_to } }),
        remote,
      })),
    ),
  );

type Remote = [GroupRule["family"], GroupRule["remote"]];

function remotesOf(
  { ipv4_cidr, ipv6_cidr, security_group: named }: SecurityRule,
  groups: ReadonlyMap<string, SecurityGroup>,
): Remote[] {
  const group = named && groups.get(named.id);
  if (group) {
    const remote = { group: ownerOf(group) };
    return [
      ["ipv4", remote],
      ["ipv6", remote],
    ];
  }
  return [
    ...(ipv4_cidr === undefined ? [] : ([["ipv4", { cidr: ipv4_cidr }]] satisfies Remote[])),
    ...(ipv6_cidr === undefined ? [] : ([["ipv6", { cidr: ipv6_cidr }]] satisfies Remote[])),
  ];
}
