import { NeutronFault } from "./error.ts";
import type { Kind } from "./records.ts";

/** Neutron's default policy, of release 29: which roles may write and read what. */

/** Roles that imply other roles in Keystone. */
const implied: Record<string, readonly string[]> = {
  admin: ["manager", "member", "reader"],
  manager: ["member", "reader"],
  member: ["reader"],
};

/** All roles of a token: its credential's, and those that they imply. */
export const rolesOf = (given: readonly string[]): string[] => [
  ...new Set(given.flatMap((role) => [role, ...(implied[role] ?? [])])),
];

type Action = "create" | "update" | "delete";

/** The roles that may write objects of a kind. */
const writers = (kind: Kind): readonly string[] =>
  kind === "port" ? ["member", "service"] : ["member"];

/** Members that need a further role, by kind, unless they have their default value. */
const guarded: { [K in Kind]?: Record<string, readonly string[]> } = {
  network: {
    shared: ["admin"],
    "router:external": ["admin"],
    "provider:network_type": ["admin"],
    "provider:physical_network": ["admin"],
    "provider:segmentation_id": ["admin"],
  },
  router: {
    "external_gateway_info:enable_snat": ["admin"],
    "external_gateway_info:external_fixed_ips": ["admin"],
  },
  port: {
    "binding:host_id": ["admin", "service"],
    "binding:profile": ["service"],
  },
  floatingip: { floating_ip_address: ["manager"] },
};

/** Members that are hidden from other roles. */
const hidden: { [K in Kind]?: Record<string, readonly string[]> } = {
  network: {
    "provider:network_type": ["admin"],
    "provider:physical_network": ["admin"],
    "provider:segmentation_id": ["admin"],
  },
  port: {
    "binding:host_id": ["admin", "service"],
    "binding:profile": ["admin", "service"],
    "binding:vif_type": ["admin", "service"],
    "binding:vif_details": ["admin", "service"],
  },
};

/** Refuses a request that the roles do not permit. */
export function requireAllowed(
  given: readonly string[],
  action: Action,
  kind: Kind,
  input: object = {},
): void {
  const rules = [`${action}_${kind}`];
  const needed = [writers(kind)];
  for (const [member, roles] of Object.entries(guarded[kind] ?? {})) {
    if (!isNamed(input, member.split(/:(?=enable_snat|external_fixed_ips)/))) continue;
    rules.push(`${action}_${kind}:${member}`);
    needed.push(roles);
  }
  const has = rolesOf(given);
  if (needed.every((roles) => roles.some((role) => has.includes(role)))) return;
  const text = rules.map((rule) => `rule:${rule}`).reduce((all, rule) => `(${all} and ${rule})`);
  throw new NeutronFault(403, "PolicyNotAuthorized", `${text} is disallowed by policy`);
}

function isNamed(input: unknown, [name = "", ...rest]: string[]): boolean {
  if (typeof input !== "object" || input === null) return false;
  const value: unknown = Object.entries(input).find(([member]) => member === name)?.[1];
  if (rest.length > 0) return isNamed(value, rest);
  return value !== undefined && value !== false;
}

/** An object as these roles may read it. */
export function seenBy(
  given: readonly string[],
  kind: Kind,
  object: Record<string, unknown>,
): Record<string, unknown> {
  const rules = hidden[kind];
  if (!rules || given.includes("admin")) return object;
  const has = rolesOf(given);
  const isSeen = (member: string) => rules[member]?.some((role) => has.includes(role)) ?? true;
  return Object.fromEntries(Object.entries(object).filter(([member]) => isSeen(member)));
}
