import { expect, it } from "vitest";
import type { Violation } from "../../../../core/error.ts";
import { type RuleInput, refuseRule } from "../../../../core/resources/security-group/rules.ts";

const refused = (rule: RuleInput): string[] => {
  const violations: Violation[] = [];
  refuseRule(rule, "spec.ingress[0]", violations);
  return violations.map(({ field, message }) => `${field} ${message}`);
};

const tcp = { protocol: "PROTOCOL_TCP", ipv4_cidr: "0.0.0.0/0" } as const;
const field = "spec.ingress[0]";

it.each<[string, RuleInput]>([
  ["one port", { ...tcp, port_from: 443, port_to: 443 }],
  ["every port", tcp],
  ["both families", { ...tcp, ipv6_cidr: "::/0" }],
  ["another group", { protocol: "PROTOCOL_ALL", security_group: "web" }],
  ["ICMP", { protocol: "PROTOCOL_ICMP", ipv4_cidr: "10.0.0.0/8" }],
])("takes %s", (_, rule) => {
  expect(refused(rule)).toEqual([]);
});

it.each<[string, RuleInput, string]>([
  [
    "reversed ports",
    { ...tcp, port_from: 443, port_to: 80 },
    `${field}.port_to must not be below port_from, which is 443`,
  ],
  [
    "half of a range",
    { ...tcp, port_from: 443 },
    `${field}.port_to is required where the other one is given`,
  ],
  [
    "ports of ICMP",
    { protocol: "PROTOCOL_ICMP", ipv4_cidr: "10.0.0.0/8", port_from: 1, port_to: 2 },
    `${field}.port_from only TCP and UDP have ports, and this is PROTOCOL_ICMP`,
  ],
  [
    "no other end",
    { protocol: "PROTOCOL_TCP" },
    `${field} needs ipv4_cidr, ipv6_cidr or security_group`,
  ],
  [
    "two sorts of other ends",
    { ...tcp, security_group: "web" },
    `${field}.security_group excludes ipv4_cidr and ipv6_cidr`,
  ],
  [
    "IPv4 in place of IPv6",
    { protocol: "PROTOCOL_TCP", ipv6_cidr: "10.0.0.0/8" },
    `${field}.ipv6_cidr must be an IPv6 prefix, and 10.0.0.0/8 is none`,
  ],
])("refuses %s", (_, rule, said) => {
  expect(refused(rule)).toEqual([said]);
});
