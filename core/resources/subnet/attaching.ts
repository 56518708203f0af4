import type { Standing } from "../../at-site/at-site.ts";
import { ownerOf } from "../../at-site/owner.ts";
import { AppError, type Violation } from "../../error.ts";
import type { ReferenceInput } from "../../kernel/input/reference.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { Records } from "../../kernel/object/records.ts";
import { onceEach } from "../../kernel/request/begun.ts";
import {
  notFoundHere,
  type Place,
  referenceTo,
  resolveLocal,
} from "../../kernel/request/resolve.ts";
import { defaultGroupOf } from "../../ports/network/network.ts";
import { ownedSubnet } from "./owner.ts";

/** The subnet and the security groups that an order names for its hosts. */
export interface NetworkAttachment {
  subnet: Reference;
  /** Without any, its hosts get the default group of the subnet's network. */
  security_groups: Reference[];
}

/** The subnet and the groups that an order names, as found in the store. */
export interface Attaching {
  attachment: NetworkAttachment;
  stands_in: Standing;
  subnet: ObjectOf["subnet"];
  /** The reason why one of them cannot be used now; undefined if all can. */
  unready: string | undefined;
}

interface Named {
  subnet: ReferenceInput;
  security_groups: ReferenceInput[];
}

interface Found {
  subnet: ObjectOf["subnet"] | undefined;
  groups: (ObjectOf["security_group"] | undefined)[];
}

/** Searches for the subnet and groups that orders in a project name. */
export type Search = (named: Named) => Promise<Found>;

export function searchIn(records: Records, place: Place): Search {
  const search = onceEach((named: Named) => searchFor(records, place, named));
  return ({ subnet, security_groups }) => search({ subnet, security_groups });
}

async function searchFor(records: Records, place: Place, named: Named): Promise<Found> {
  const [subnet, ...groups] = await Promise.all([
    resolveLocal(records, "subnet", place, named.subnet),
    ...named.security_groups.map((group) => resolveLocal(records, "security_group", place, group)),
  ]);
  return { subnet, groups };
}

/**
 * The subnet and groups that an order names at this field, in its own tenant and project; each fault adds a violation.
 * `who`: the things that need addresses in the subnet, for messages.
 */
export async function attachingOf(
  search: Search,
  named: Named,
  { field, who, inOverlay = false }: { field: string; who: string; inOverlay?: boolean },
  violations: Violation[],
): Promise<Attaching | undefined> {
  const { subnet, groups: found } = await search(named);
  const refuse = (at: string, message: string) => violations.push({ field: at, message });
  const fieldOfSubnet = `${field}.subnet`;
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
  if (!site && !(subnet.spread && inOverlay))
    return void refuse(fieldOfSubnet, "is at no site, so no hosts can join it");
  if (subnet.spec.ipv4_cidr === undefined)
    refuse(fieldOfSubnet, `has no ipv4_cidr, and ${who} need one`);
  return {
    attachment: { subnet: referenceTo(subnet), security_groups: groups.map(referenceTo) },
    stands_in: {
      subnet: subnet.id,
      ...(site && { site: site.id }),
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

/** Throws FailedPrecondition, as OSAC does, if a named object cannot be used now. */
export function refuseUnready({ unready: why }: Pick<Attaching, "unready">): void {
  if (why !== undefined) throw new AppError("FailedPrecondition", why);
}
