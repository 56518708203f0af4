import type { Violation } from "../error.ts";
import { kindPartition } from "../kernel/object/keys.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { objectsIn, type Records } from "../kernel/object/records.ts";
import { usersNamed } from "../kernel/object/users.ts";
import { overlap } from "../prefix.ts";

/** Conflicts between a site's or a pool's new prefixes and tenants' networks or their network classes. */

type NetworkClass = ObjectOf["network_class"];

/** New prefixes of a site or a pool, with their field. */
interface Wanted {
  field: string;
  cidrs: readonly string[];
}

/** The classes whose networks are made by a site's fabric. */
export async function classesAt(records: Records, site: string): Promise<NetworkClass[]> {
  const found: NetworkClass[] = [];
  for await (const page of usersNamed(records, { kind: "site", id: site }, "network_class"))
    found.push(...page);
  return found;
}

/** The classes whose networks are made by DPUs, from an index, which may lag. */
export async function overlayClasses(records: Records): Promise<NetworkClass[]> {
  const found: NetworkClass[] = [];
  const pk = kindPartition("network_class");
  for await (const page of objectsIn<"network_class">(records, { index: "g4", pk }))
    found.push(...page.filter(({ spec }) => spec.implementation_strategy === "overlay"));
  return found;
}

/**
 * Adds a violation for each field that overlaps these classes' networks, or the prefixes that the classes
 * allocate.
 */
export async function refuseOverlapping(
  records: Records,
  classes: readonly NetworkClass[],
  wanted: readonly Wanted[],
  violations: Violation[],
): Promise<void> {
  let open = [...wanted];
  const refuse = (taken: readonly Taken[]) => {
    open = open.filter(({ field, cidrs }) => {
      const found = taken.find(({ cidr }) => cidrs.some((each) => overlap(each, cidr)));
      if (found) violations.push({ field, message: `overlaps ${found.cidr} of ${found.of}` });
      return !found;
    });
  };
  for (const each of classes) {
    if (open.length === 0) return;
    refuse(offered(each));
    const used = { kind: "network_class", id: each.id } as const;
    for await (const page of usersNamed(records, used, "virtual_network"))
      refuse(page.flatMap(prefixesOf));
  }
}

interface Taken {
  cidr: string;
  of: string;
}

function offered({ id, spec: { prefix_pools: pools, defaults } }: NetworkClass): Taken[] {
  const of = `the network class '${id}'`;
  const cidrs = [
    ...(pools?.ipv4?.cidrs ?? []),
    ...(pools?.ipv6?.cidrs ?? []),
    ...[defaults?.virtual_network_ipv4_cidr, defaults?.virtual_network_ipv6_cidr],
  ];
  return cidrs.flatMap((cidr) => (cidr === undefined ? [] : [{ cidr, of }]));
}

function prefixesOf({ metadata, spec }: ObjectOf["virtual_network"]): Taken[] {
  const of = `network '${metadata.name}' of tenant '${metadata.tenant}'`;
  return [spec.ipv4_cidr, spec.ipv6_cidr].flatMap((cidr) =>
    cidr === undefined ? [] : [{ cidr, of }],
  );
}
