import * as z from "zod";
import { grouped } from "./derived.ts";
import { conflict, notFound } from "./error.ts";
import type { PortRecord, RuleRecord, SecurityGroupRecord } from "./records.ts";
import { given, named, resource } from "./resource.ts";
import { viewOfRule } from "./security-group-rules.ts";
import type { FabricState } from "./state.ts";

/** Neutron's security groups. A group with no rules lets nothing through; replies always pass. */

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
    makeRules(state, group, "egress");
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
    // Rules of other groups that name this one go with it, without a word.
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

/** The project's own group, which a port gets when the request names none. */
export const defaultGroups = (state: FabricState): string[] =>
  state.records
    .all("security_group")
    .filter(({ is_default }) => is_default)
    .map(({ id }) => id);

/** Makes the project's own group: everything may go out, and only its own members may come in. */
export function makeDefaultGroup(state: FabricState): void {
  const group = state.make("security_group", {
    name: defaultName,
    description: "Default security group",
    is_default: true,
  });
  makeRules(state, group, "ingress", group.id);
  makeRules(state, group, "egress");
}

function makeRules(
  state: FabricState,
  group: SecurityGroupRecord,
  direction: RuleRecord["direction"],
  remote: string | null = null,
): void {
  for (const ethertype of ["IPv4", "IPv6"] as const) {
    state.make("security_group_rule", {
      security_group_id: group.id,
      direction,
      ethertype,
      protocol: null,
      port_range_min: null,
      port_range_max: null,
      remote_ip_prefix: null,
      remote_group_id: remote,
    });
  }
}

/** The groups that a port is to have. Throws SecurityGroupNotFound, which names all that are unknown. */
export function requireGroups(state: FabricState, wanted: readonly string[]): string[] {
  const unknown = wanted.filter((id) => !state.records.get("security_group", id));
  if (unknown.length > 0) {
    const ids = unknown.join(", ");
    throw notFound("SecurityGroupNotFound", `Security group ${ids} does not exist`);
  }
  return [...new Set(wanted)];
}
