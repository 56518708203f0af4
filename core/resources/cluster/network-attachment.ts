import { floatingIpUses, type Groups } from "../../at-site/at-site.ts";
import type { Violation } from "../../error.ts";
import type { Records } from "../../kernel/object/records.ts";
import { withinFault } from "../../ports/guest/ovn.ts";
import { overlap } from "../../prefix.ts";
import type { ClusterSpecInput } from "../cluster-template/order-input.ts";
import { defaultPrefixes } from "../cluster-template/prefixes.ts";
import {
  type Attaching,
  attachingOf,
  refuseUnready,
  type Search,
  searchIn,
} from "../subnet/attaching.ts";
import { addressPool } from "../subnet/members.ts";
import type { Cluster, NodeSets } from "./model.ts";

/** The subnet and the security groups that an order names for a cluster's hosts: `spec.network_attachment`. */

const field = "spec.network_attachment";

/** The subnet and groups that an order names, if any, as found in the store; each fault adds a violation. */
export const orderedAttachment = async (
  search: Search,
  { network_attachment: named }: Pick<ClusterSpecInput, "network_attachment">,
  violations: Violation[],
): Promise<Attaching | undefined> =>
  named && attachingOf(search, named, { field, who: "clusters" }, violations);

/**
 * Adds a violation for each requirement that the subnet cannot meet: other prefixes inside the cluster, or more
 * addresses.
 */
export function refuseUnfit(
  { subnet }: Pick<Attaching, "subnet">,
  spec: { network: { pod_cidr?: string; service_cidr?: string }; node_sets: NodeSets },
  violations: Violation[],
): void {
  const { ipv4_cidr: cidr, ipv6_cidr } = subnet.spec;
  for (const each of [cidr, ipv6_cidr]) {
    const fault = each && withinFault(each);
    if (fault)
      violations.push({
        field: `${field}.subnet`,
        message: `${each}, the prefix of subnet '${subnet.metadata.name}', ${fault}: take a subnet of another prefix`,
      });
  }
  const size = addressPool(subnet, 0)?.size;
  if (cidr === undefined || size === undefined) return;
  for (const member of ["pod_cidr", "service_cidr"] as const) {
    const named = spec.network[member];
    const inside = named ?? defaultPrefixes[member];
    if (overlap(inside, cidr))
      violations.push({
        field: `spec.network.${member}`,
        message: `${inside}${named === undefined ? `, the default of ${member},` : ""} overlaps ${cidr}, the prefix of subnet '${subnet.metadata.name}'`,
      });
  }
  const nodes = Object.values(spec.node_sets).reduce((sum, set) => sum + set.size, 0);
  const needed = nodes + floatingIpUses.length;
  if (needed > size)
    violations.push({
      field: `${field}.subnet`,
      message: `${cidr} has addresses for ${size} members, and ${needed} are needed: one for each node, and those of API and ingress`,
    });
}

/**
 * The security groups that a change names, all READY and of the cluster's network; undefined if the groups stay the
 * same. Throws FailedPrecondition if one cannot be used now.
 */
export async function changedGroups(
  records: Records,
  { spec, metadata: { tenant, project } }: Cluster,
  wanted: ClusterSpecInput["network_attachment"],
  violations: Violation[],
): Promise<Groups | undefined> {
  const { network_attachment: is } = spec;
  if (!is || !wanted) return undefined;
  const place = { tenant, project: project ?? "" };
  const network_attachment = { subnet: is.subnet, security_groups: wanted.security_groups };
  const faults = violations.length;
  const attaching = await orderedAttachment(
    searchIn(records, place),
    { network_attachment },
    violations,
  );
  if (!attaching || violations.length > faults) return undefined;
  refuseUnready(attaching);
  const { attachment, stands_in } = attaching;
  return { security_groups: attachment.security_groups, names: stands_in.groups };
}
