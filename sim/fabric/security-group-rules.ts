import * as z from "zod";
import { canonicalCidr, isAddress, isCidr, versionOf } from "./addresses.ts";
import { conflict, NeutronFault, notFound } from "./error.ts";
import { isProtocol, protocolName, protocolNumber, protocolNumbers } from "./protocols.ts";
import type { Common, RuleRecord } from "./records.ts";
import { commonView, given, named, resource, type Wire } from "./resource.ts";

/** Neutron's security group rules. They are created and deleted, never changed. */

const port = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]).nullish();

const created = z.strictObject({
  description: named.description,
  security_group_id: z.string(),
  direction: z.enum(["ingress", "egress"]),
  ethertype: z.enum(["IPv4", "IPv6"]).default("IPv4"),
  protocol: z
    .union([z.string(), z.int()])
    .nullish()
    .transform((value) =>
      value === undefined || value === null ? null : `${value}`.toLowerCase(),
    ),
  port_range_min: port,
  port_range_max: port,
  remote_ip_prefix: z
    .string()
    .refine((text) => isCidr(text) || isAddress(text), "is not a valid IP subnet")
    .nullish(),
  remote_group_id: z.string().nullish(),
});
type Wanted = z.infer<typeof created>;

export const securityGroupRules = resource({
  kind: "security_group_rule",
  collection: "security_group_rules",
  missing: {
    type: "SecurityGroupRuleNotFound",
    text: (id) => `Security group rule ${id} does not exist`,
  },
  create: created,

  make(state, input) {
    const rule = ruleOf(input);
    requireGroup(
      state.records.get("security_group", rule.remote_group_id ?? ""),
      rule.remote_group_id,
    );
    requireGroup(
      state.records.get("security_group", rule.security_group_id),
      rule.security_group_id,
    );
    const same = state.records
      .all("security_group_rule")
      .find(
        (one) => one.security_group_id === rule.security_group_id && keyOf(one) === keyOf(rule),
      );
    if (same) {
      throw conflict(
        "SecurityGroupRuleExists",
        `Security group rule already exists. Rule id is ${same.id}.`,
      );
    }
    return state.make("security_group_rule", {
      ...given({ description: input.description }),
      ...rule,
    });
  },

  remove: (state, { id }) => state.records.remove("security_group_rule", id),

  view: (_state, rule) => membersOf(rule),
});

type Rule = Omit<RuleRecord, keyof Common>;

/** A rule in the answer of its group. */
export const viewOfRule = (rule: RuleRecord): Wire => ({ ...commonView(rule), ...membersOf(rule) });

const membersOf = (rule: RuleRecord): Wire => ({
  // Rules have no name, and no tags with OVN.
  name: undefined,
  tags: undefined,
  security_group_id: rule.security_group_id,
  direction: rule.direction,
  ethertype: rule.ethertype,
  protocol: rule.protocol,
  port_range_min: rule.port_range_min,
  port_range_max: rule.port_range_max,
  remote_ip_prefix: rule.remote_ip_prefix,
  remote_group_id: rule.remote_group_id,
  remote_address_group_id: null,
  normalized_cidr: rule.remote_ip_prefix && canonicalCidr(rule.remote_ip_prefix),
  belongs_to_default_sg: false,
});

const invalid = (type: string, message: string) => new NeutronFault(400, type, message);

function requireGroup(found: unknown, id: string | null): void {
  if (id === null || found) return;
  throw notFound("SecurityGroupNotFound", `Security group ${id} does not exist`);
}

/** The requested rule. The checks are in Neutron's order. */
function ruleOf(input: Wanted): Rule {
  const rule: Rule = {
    security_group_id: input.security_group_id,
    direction: input.direction,
    ethertype: input.ethertype,
    protocol: protocolOf(input),
    port_range_min: input.port_range_min ?? null,
    port_range_max: input.port_range_max ?? null,
    remote_ip_prefix: input.remote_ip_prefix ? withLength(input.remote_ip_prefix) : null,
    remote_group_id: input.remote_group_id ?? null,
  };
  requirePorts(rule);
  const { ethertype, remote_ip_prefix: prefix } = rule;
  if (prefix !== null && ethertype !== `IPv${versionOf(prefix)}`) {
    throw invalid(
      "SecurityGroupRuleParameterConflict",
      `Conflicting value ethertype ${ethertype} for CIDR ${input.remote_ip_prefix}`,
    );
  }
  if (ethertype === "IPv4" && protocolNumber(rule.protocol, 4) === 58) {
    throw invalid(
      "SecurityGroupEthertypeConflictWithProtocol",
      `Invalid ethertype ${ethertype} for protocol ${rule.protocol}.`,
    );
  }
  if (prefix !== null && rule.remote_group_id !== null) {
    throw invalid(
      "SecurityGroupMultipleRemoteEntites",
      "Only one of remote_ip_prefix, remote_group_id or remote_address_group_id may be provided.",
    );
  }
  return rule;
}

const withLength = (prefix: string): string =>
  prefix.includes("/") ? prefix : `${prefix}/${versionOf(prefix) === 4 ? 32 : 128}`;

/** The protocol as Neutron stores it: ICMP in an IPv6 rule is ICMPv6. */
function protocolOf({ protocol, ethertype }: Wanted): string | null {
  if (protocol === null || protocol === "any") return null;
  if (!isProtocol(protocol)) {
    const names = Object.keys(protocolNumbers).map((name) => `'${name}'`);
    throw invalid(
      "SecurityGroupRuleInvalidProtocol",
      `Security group rule protocol ${protocol} not supported. Only protocol values [None, ${names.join(", ")}] and integer representations [0 to 255] are supported.`,
    );
  }
  if (ethertype === "IPv4") return protocol;
  if (protocol === "1") return "58";
  return ["icmp", "icmpv6"].includes(protocol) ? "ipv6-icmp" : protocol;
}

const withPorts = [6, 17, 33, 132, 136];
const icmp = [1, 58];

function requirePorts(rule: Rule): void {
  const { port_range_min: min, port_range_max: max } = rule;
  if (min === null && max === null) return;
  const protocol = protocolNumber(rule.protocol, 4);
  if (protocol === null) {
    throw invalid(
      "SecurityGroupProtocolRequiredWithPorts",
      "Must also specify protocol if port range is given.",
    );
  }
  if (icmp.includes(protocol)) {
    requireIcmp(min, max);
    return;
  }
  if (!withPorts.includes(protocol)) {
    throw invalid(
      "SecurityGroupInvalidProtocolForPort",
      `Invalid protocol ${protocol} for port range, only supported for DCCP, SCTP, TCP, UDP, UDPLITE.`,
    );
  }
  const wrong = [min, max].find((one) => one !== null && (one < 1 || one > 65_535));
  if (wrong !== undefined) {
    throw invalid("SecurityGroupInvalidPortValue", `Invalid value for port ${wrong}`);
  }
  if (min === null || max === null || min > max) {
    throw invalid(
      "SecurityGroupInvalidPortRange",
      "For TCP/UDP protocols, port_range_min must be <= port_range_max",
    );
  }
}

function requireIcmp(type: number | null, code: number | null): void {
  for (const [field, attribute, value] of [
    ["type", "port_range_min", type],
    ["code", "port_range_max", code],
  ] as const) {
    if (value === null || (value >= 0 && value <= 255)) continue;
    throw invalid(
      "SecurityGroupInvalidIcmpValue",
      `Invalid value for ICMP ${field} (${attribute}) ${value}. It must be 0 to 255.`,
    );
  }
  if (type === null && code !== null) {
    throw invalid(
      "SecurityGroupMissingIcmpType",
      `ICMP code (port-range-max) ${code} is provided but ICMP type (port-range-min) is missing.`,
    );
  }
}

/**
 * The identity of a rule: a protocol's name and number are the same, and so are a prefix of every address and no
 * prefix.
 */
function keyOf(rule: Rule): string {
  const { direction, ethertype, port_range_min: min, port_range_max: max } = rule;
  const prefix = rule.remote_ip_prefix ?? "";
  const protocol = protocolName(rule.protocol);
  const from = ["0.0.0.0/0", "::/0"].includes(prefix) ? "" : prefix;
  return [direction, ethertype, protocol, min, max, from, rule.remote_group_id].join(" ");
}
