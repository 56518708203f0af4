import { AppError, type Violation } from "../../error.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { Records } from "../../kernel/object/records.ts";
import {
  notFoundHere,
  type Place,
  referenceTo,
  resolveLocal,
} from "../../kernel/request/resolve.ts";
import { defaultGroupOf } from "../../ports/network/network.ts";
import { overlap } from "../../prefix.ts";
import type { ClusterSpecInput } from "../cluster-template/order-input.ts";
import { floatingIpUses, type Standing } from "../site/at-site.ts";
import { ownerOf } from "../site/owner.ts";
import { addressPool } from "../subnet/members.ts";
import { ownedSubnet } from "../subnet/owner.ts";
import type { Cluster, NodeSets, Regrouping } from "./model.ts";

/** The subnet and the groups that an order names for its hosts: `spec.network_attachment`. */

export interface NetworkAttachment {
  subnet: Reference;
  /** Without any, its hosts have the default group of the subnet's network. */
  security_groups: Reference[];
}

/** What an order names, as it was found. */
export interface Attaching {
  attachment: NetworkAttachment;
  stands_in: Standing;
  subnet: ObjectOf["subnet"];
  /** Why none of it can be used yet, or any more; undefined when it can. */
  unready: string | undefined;
}

const field = "spec.network_attachment";
const fieldOfSubnet = `${field}.subnet`;

/** The subnet and the groups of the same tenant and project that an order names; every fault is a violation. */
export async function attachingOf(
  records: Records,
  place: Place,
  named: NonNullable<ClusterSpecInput["network_attachment"]>,
  violations: Violation[],
): Promise<Attaching | undefined> {
  const [subnet, ...found] = await Promise.all([
    resolveLocal(records, "subnet", place, named.subnet),
    ...named.security_groups.map((group) => resolveLocal(records, "security_group", place, group)),
  ]);
  const refuse = (at: string, message: string) => violations.push({ field: at, message });
  if (!subnet) refuse(fieldOfSubnet, notFoundHere("Subnet", named.subnet));
  const groups = found.flatMap((group, n) => {
    const at = `${field}.security_groups[${n}]`;
    if (!group) refuse(at, notFoundHere("SecurityGroup", named.security_groups[n] ?? ""));
    else if (subnet && group.spec.virtual_network.id !== subnet.spec.virtual_network.id)
      refuse(
        at,
        `is a group of network '${group.spec.virtual_network.name}', and the subnet is of '${subnet.spec.virtual_network.name}'`,
      );
    else if (found.slice(0, n).some((each) => each?.id === group.id)) refuse(at, "is named twice");
    return group ?? [];
  });
  if (!subnet) return undefined;
  const { site } = subnet;
  if (!site) return void refuse(fieldOfSubnet, "is at no site, so no hosts can stand in it");
  if (subnet.spec.ipv4_cidr === undefined)
    refuse(fieldOfSubnet, "has no ipv4_cidr, and clusters need one");
  return {
    attachment: { subnet: referenceTo(subnet), security_groups: groups.map(referenceTo) },
    stands_in: {
      subnet: subnet.id,
      site: site.id,
      name: subnet.infra_id,
      groups:
        groups.length > 0
          ? groups.map((group) => ownerOf(group).name)
          : [defaultGroupOf(ownedSubnet(subnet).network).name],
    },
    subnet,
    unready: unready([subnet, ...groups]),
  };
}

const unready = (objects: (ObjectOf["subnet"] | ObjectOf["security_group"])[]) => {
  const first = objects.find(({ status }) => !status.state.endsWith("_STATE_READY"));
  if (!first) return undefined;
  const what = first.kind === "subnet" ? "subnet" : "security group";
  return `${what} '${first.metadata.name}' is not READY: ${first.status.state}`;
};

/** Adds what an order wants that its subnet can never give: other prefixes inside, more addresses. */
export function refuseUnfit(
  { subnet }: Pick<Attaching, "subnet">,
  spec: { network: { pod_cidr?: string; service_cidr?: string }; node_sets: NodeSets },
  violations: Violation[],
): void {
  const { ipv4_cidr: cidr } = subnet.spec;
  const size = addressPool(subnet, 0)?.size;
  if (cidr === undefined || size === undefined) return;
  for (const member of ["pod_cidr", "service_cidr"] as const) {
    const inside = spec.network[member];
    if (inside !== undefined && overlap(inside, cidr))
      violations.push({
        field: `spec.network.${member}`,
        message: `${inside} overlaps ${cidr}, the prefix of subnet '${subnet.metadata.name}'`,
      });
  }
  const nodes = Object.values(spec.node_sets).reduce((sum, set) => sum + set.size, 0);
  const needed = nodes + floatingIpUses.length;
  if (needed > size)
    violations.push({
      field: fieldOfSubnet,
      message: `${cidr} has addresses for ${size} members, and ${needed} are needed: one for each node, and those of API and ingress`,
    });
}

/** Throws FailedPrecondition, as OSAC does, where something that is named cannot be used now. */
export function refuseUnready({ unready: why }: Pick<Attaching, "unready">): void {
  if (why !== undefined) throw new AppError("FailedPrecondition", why);
}

/**
 * The groups that a change of a cluster names, which are READY and of its network; undefined where it keeps its
 * groups. Throws FailedPrecondition where one cannot be used now.
 */
export async function changedGroups(
  records: Records,
  { spec, metadata: { tenant, project } }: Cluster,
  wanted: ClusterSpecInput["network_attachment"],
  violations: Violation[],
): Promise<Regrouping["from"] | undefined> {
  const { network_attachment: is } = spec;
  if (!is || !wanted) return undefined;
  const place = { tenant, project: project ?? "" };
  const named = { subnet: is.subnet, security_groups: wanted.security_groups };
  const faults = violations.length;
  const attaching = await attachingOf(records, place, named, violations);
  if (!attaching || violations.length > faults) return undefined;
  refuseUnready(attaching);
  const { attachment, stands_in } = attaching;
  return { security_groups: attachment.security_groups, names: stands_in.groups };
}
