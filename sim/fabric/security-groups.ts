import * as z from "zod";
import { grouped } from "./derived.ts";
import { conflict, notFound } from "./error.ts";
import type { PortRecord, RuleRecord, SecurityGroupRecord } from "./records.ts";
import { given, named, resource } from "./resource.ts";
import { viewOfRule } from "./security-group-rules.ts";
import type { FabricState } from "./state.ts";

/** Neutron's security groups. A group without rules permits nothing; replies always pass. */

const schema = z.strictObject({ ...named, stateful: z.boolean().optional() });

export const securityGroups = resource({
  kind: "security_group",
  collection: "security_groups",
  missing: { type: "SecurityGroupNotFound", text: (id) => `Security group ${id} does not exist` },
  create: schema,
  update: schema,

  make(state, { stateful: _, ...input }) {
    if (input.name === defaultName) {
      throw conflict("SecurityGroupDefaultAlreadyExists", "Default security group already exists.");
    }
    const group = state.make("security_group", { ...given(input), is_default: false });
    for (const rule of usualRules(group)) state.make("security_group_rule", rule);
    return group;
  },

  change(state, group, { stateful: _, ...input }) {
    if (group.is_default && input.name !== undefined) {
      throw conflict(
        "SecurityGroupCannotUpdateDefault",
        "Updating default security group not allowed.",
      );
    }
    return state.change("security_group", group, given(input));
  },

  remove(state, group) {
    if (group.is_default) {
      throw conflict(
        "SecurityGroupCannotRemoveDefault",
        "Insufficient rights for removing default security group.",
      );
    }
    if (membersOf(state, group.id).length > 0) {
      throw conflict("SecurityGroupInUse", `Security Group ${group.id} in use.`);
    }
    // Silently removes other groups' rules that refer to this group.
    for (const rule of state.records.all("security_group_rule")) {
      if (rule.security_group_id === group.id || rule.remote_group_id === group.id) {
        state.records.remove("security_group_rule", rule.id);
      }
    }
    state.records.remove("security_group", group.id);
  },

  view: (state, group) => ({
    stateful: true,
    shared: false,
    security_group_rules: rulesOf(state, group.id).map(viewOfRule),
  }),
});

const defaultName = "default";

const ofGroup = grouped((rule: RuleRecord) => rule.security_group_id);

export const rulesOf = (state: FabricState, group: string): readonly RuleRecord[] =>
  ofGroup(state.records.all("security_group_rule"), group);

const membersOf = (state: FabricState, group: string): PortRecord[] =>
  state.records.all("port").filter((port) => port.security_groups.includes(group));

/** The project's default group, for ports whose request names none. */
export const defaultGroups = (state: FabricState): string[] =>
  state.records
    .all("security_group")
    .filter(({ is_default }) => is_default)
    .map(({ id }) => id);

/**
 * Creates the project's default group: all egress, and ingress from its own members. Its ids are constant, so
 * that it draws no random numbers.
 */
export function makeDefaultGroup(state: FabricState): void {
  const idOf = (number: number) => `5a2d1c0e-9f3b-4d7c-8e6f-00000000000${number}`;
  const group = state.make("security_group", {
    id: idOf(0),
    name: defaultName,
    description: "Default security group",
    is_default: true,
  });
  for (const [index, rule] of usualRules(group, group.id).entries()) {
    state.make("security_group_rule", { id: idOf(index + 1), ...rule });
  }
}

/** The rules of a new group: all egress; the default group also has ingress from its members. */
const usualRules = ({ id }: SecurityGroupRecord, remote: string | null = null) =>
  (remote === null ? (["egress"] as const) : (["ingress", "egress"] as const)).flatMap(
    (direction) =>
      (["IPv4", "IPv6"] as const).map((ethertype) => ({
        security_group_id: id,
        direction,
        ethertype,
        protocol: null,
        port_range_min: null,
        port_range_max: null,
        remote_ip_prefix: null,
        remote_group_id: direction === "ingress" ? remote : null,
      })),
  );

/** The groups in a port's request. Throws SecurityGroupNotFound with all unknown ones. */
export function requireGroups(state: FabricState, wanted: readonly string[]): string[] {
  const unknown = wanted.filter((id) => !state.records.get("security_group", id));
  if (unknown.length > 0) {
    const ids = unknown.join(", ");
    throw notFound("SecurityGroupNotFound", `Security group ${ids} does not exist`);
  }
  return [...new Set(wanted)];
}
