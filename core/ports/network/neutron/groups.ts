import type { Removal } from "../../fabric/fabric.ts";
import type { NeutronApi } from "../../fabric/neutron/api.ts";
import { baseName } from "../../fabric/neutron/names.ts";
import type { NeutronGroupRule as Known } from "../../fabric/neutron/objects.ts";
import { OwnedInNeutron, removal } from "../../fabric/neutron/owned.ts";
import { type Owner, tagsOf } from "../../owner.ts";
import {
  type AppliedRules,
  defaultGroupOf,
  defaultRulesOf,
  everything,
  type GroupRule,
  type GroupRules,
} from "../network.ts";

/**
 * Security groups in Neutron: one by our name, with exactly the desired rules. Neutron has no versions, so
 * the version is a tag, which is set once all rules are as desired.
 */

const versionTag = (version: number): string => `slipway.dev/version=${version}`;

const ownedBy = (api: NeutronApi, owner: Owner) => new OwnedInNeutron(api, { ...owner, uses: [] });

export async function ensureGroup(
  api: NeutronApi,
  owner: Owner,
  { version, rules }: GroupRules,
): Promise<AppliedRules> {
  const ours = ownedBy(api, owner);
  const name = baseName(owner);
  const find = async () => (await ours.named("security_groups", name))[0];
  const group = await ours.ensure("security_groups", name, find, { name });
  const wanted = new Map<string, object>();
  for (const rule of rules) {
    const remote = await remoteOf(api, rule, owner, group.id);
    if (!remote)
      return { state: "pending", message: "another security group that its rules refer to" };
    const body = bodyOf(rule, remote);
    wanted.set(keyOf(body), { security_group_id: group.id, ...body });
  }
  // New permissions first: traffic that old and new rules both permit is never interrupted.
  const known = await rulesOf(api, group.id);
  const has = new Set(known.map(keyOf));
  for (const [key, body] of wanted) if (!has.has(key)) await makeRule(api, group.id, key, body);
  for (const rule of known)
    if (!wanted.has(keyOf(rule))) await api.remove("security_group_rules", rule.id);
  const tags = [...tagsOf(owner), versionTag(version)];
  const isTold = tags.every((tag) => group.tags.includes(tag));
  if (!isTold) await api.tag("security_groups", group.id, tags);
  return { state: "applied", version };
}

/**
 * The default group, for members without another group: permits everything outbound, and traffic among its
 * members.
 */
export async function ensureDefaultGroup(api: NeutronApi, network: Owner): Promise<void> {
  await ensureGroup(api, defaultGroupOf(network), defaultRulesOf(network));
}

export function removeGroup(api: NeutronApi, owner: Owner): Promise<Removal> {
  return removal(async () => {
    const groups = await ownedBy(api, owner).named("security_groups", baseName(owner));
    for (const { id } of groups) await api.remove("security_groups", id);
  });
}

async function rulesOf(api: NeutronApi, group: string): Promise<Known[]> {
  const rules = await api.list("security_group_rules", { security_group_id: group });
  return rules.filter((rule) => rule.security_group_id === group);
}

/** Creates a rule unless it exists: an answer may have been lost, or another attempt may have created it. */
async function makeRule(api: NeutronApi, group: string, key: string, body: object): Promise<void> {
  try {
    await api.create("security_group_rules", body);
  } catch (error) {
    const known = await rulesOf(api, group).catch(() => []);
    if (!known.some((rule) => keyOf(rule) === key)) throw error;
  }
}

type Remote = { remote_ip_prefix: string } | { remote_group_id: string };

/** The other end as Neutron names it; undefined if it is a group that does not exist yet. */
async function remoteOf(
  api: NeutronApi,
  { remote }: GroupRule,
  self: Owner,
  own: string,
): Promise<Remote | undefined> {
  if ("cidr" in remote) return { remote_ip_prefix: remote.cidr };
  if (remote.group.name === self.name) return { remote_group_id: own };
  const [other] = await ownedBy(api, remote.group).named("security_groups", baseName(remote.group));
  return other && { remote_group_id: other.id };
}

const allAddresses: readonly string[] = everything.map(([, cidr]) => cidr);

const bodyOf = ({ direction, family, protocol, ports }: GroupRule, remote: Remote) => ({
  direction,
  ethertype: family === "ipv6" ? "IPv6" : "IPv4",
  ...(protocol !== "any" && {
    protocol: family === "ipv6" && protocol === "icmp" ? "ipv6-icmp" : protocol,
  }),
  ...(ports && { port_range_min: ports.first, port_range_max: ports.last }),
  ...remote,
});

/** A key that is equal for rules that permit the same. Neutron drops a prefix that contains all addresses. */
function keyOf(rule: {
  direction: string;
  ethertype: string;
  protocol?: string | null | undefined;
  port_range_min?: number | null | undefined;
  port_range_max?: number | null | undefined;
  remote_ip_prefix?: string | null | undefined;
  remote_group_id?: string | null | undefined;
}): string {
  const { remote_ip_prefix: prefix } = rule;
  const from = prefix && !allAddresses.includes(prefix) ? prefix : "";
  return [
    ...[rule.direction, rule.ethertype, rule.protocol ?? ""],
    ...[rule.port_range_min ?? "", rule.port_range_max ?? ""],
    ...[from, rule.remote_group_id ?? ""],
  ].join(" ");
}
