import * as z from "zod";
import type { Violation } from "../../error.ts";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import { addressFamily } from "../../prefix.ts";
import { cidrSchema } from "../network-class/model.ts";

/** The rules of a security group: which packets may reach its members, and which may leave them. */

export const protocols = ["TCP", "UDP", "ICMP", "ALL"] as const;
export type Protocol = `PROTOCOL_${(typeof protocols)[number]}`;
export const directions = ["ingress", "egress"] as const;
export type Direction = (typeof directions)[number];

const protocolNames = protocols.map((protocol) => `PROTOCOL_${protocol}` as const);
const port = z.int().min(1).max(65_535);

/** A rule of a request. */
export const ruleInputSchema = z.strictObject({
  protocol: z.enum(protocolNames).describe("The allowed protocol."),
  port_from: port.optional().describe("The first allowed port; all ports by default."),
  port_to: port.optional().describe("The last allowed port."),
  ipv4_cidr: cidrSchema.optional().describe("The other end, as an IPv4 prefix."),
  ipv6_cidr: cidrSchema.optional().describe("The other end, as an IPv6 prefix."),
  security_group: referenceInputSchema
    .optional()
    .describe("The other end: the members of a group of the same network."),
});
export type RuleInput = z.output<typeof ruleInputSchema>;

/** A rule in its form for storage and the API. */
export interface SecurityRule {
  protocol: Protocol;
  port_from?: number;
  port_to?: number;
  ipv4_cidr?: string;
  ipv6_cidr?: string;
  security_group?: Reference;
}

/** The limit of rules in each direction. */
export const ruleLimit = 50;

/**
 * Adds a violation for each fault of a rule that can be found without other objects. `field`: the rule's place in the
 * request.
 */
export function refuseRule(rule: RuleInput, field: string, violations: Violation[]): void {
  const refuse = (member: string, message: string) =>
    violations.push({ field: member === "" ? field : `${field}.${member}`, message });
  const { protocol, port_from: from, port_to: to, ipv4_cidr, ipv6_cidr, security_group } = rule;
  if ((from === undefined) !== (to === undefined))
    refuse(
      from === undefined ? "port_from" : "port_to",
      "is required where the other one is given",
    );
  if (from !== undefined && to !== undefined && to < from)
    refuse("port_to", `must not be below port_from, which is ${from}`);
  const hasPorts = protocol === "PROTOCOL_TCP" || protocol === "PROTOCOL_UDP";
  if (from !== undefined && !hasPorts)
    refuse("port_from", `only TCP and UDP have ports, and this is ${protocol}`);
  if (ipv4_cidr !== undefined && addressFamily(ipv4_cidr) !== "ipv4")
    refuse("ipv4_cidr", `must be an IPv4 prefix, and ${ipv4_cidr} is none`);
  if (ipv6_cidr !== undefined && addressFamily(ipv6_cidr) !== "ipv6")
    refuse("ipv6_cidr", `must be an IPv6 prefix, and ${ipv6_cidr} is none`);
  const prefixes = [ipv4_cidr, ipv6_cidr].filter((cidr) => cidr !== undefined);
  if (prefixes.length === 0 && security_group === undefined)
    refuse("", "needs ipv4_cidr, ipv6_cidr or security_group");
  if (prefixes.length > 0 && security_group !== undefined)
    refuse("security_group", "excludes ipv4_cidr and ipv6_cidr");
}

/** Adds a violation for a rule that a hub cannot enforce: a NetworkPolicy supports only TCP, UDP, and everything. */
export function refuseOnHub({ protocol }: RuleInput, field: string, violations: Violation[]): void {
  if (protocol === "PROTOCOL_ICMP")
    violations.push({
      field: `${field}.protocol`,
      message: "a network on a hub cannot allow ICMP alone: PROTOCOL_ALL allows it with the others",
    });
}
