import type { Deps } from "../../kernel/deps.ts";
import { kindPartition } from "../../kernel/object/keys.ts";
import { objectsIn, type Records } from "../../kernel/object/records.ts";
import { audiences } from "../../placement/capacity/hub-capacity.ts";
import { capacityByRegion } from "../../placement/capacity/region-capacity.ts";
import type { HostType } from "../host-type/model.ts";
import { bootsUrls, matches, withUrls } from "./match.ts";
import type { BareMetalInstanceType } from "./model.ts";

/** The host types of these that can serve an instance type; and those that could if their hosts booted from a URL. */
export const hostTypesFor = (
  all: readonly HostType[],
  type: BareMetalInstanceType,
): { matching: HostType[]; without: HostType[] } => ({
  matching: all.filter((each) => matches(type, each)),
  without: all.filter((each) => !bootsUrls(each) && matches(type, withUrls(each))),
});

/** All host types, by name. */
export async function allHostTypes(records: Records): Promise<HostType[]> {
  const found: HostType[] = [];
  const all = { index: "g4", pk: kindPartition("host_type") } as const;
  for await (const page of objectsIn<"host_type">(records, all)) found.push(...page);
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * The number of hosts, and of free ones, of each host type that can serve these instance types, on all hubs that take
 * orders.
 */
export async function servedBy(deps: Deps, found: Promise<BareMetalInstanceType[]>) {
  const { everybody, kept } = audiences;
  const [types, hostTypes, regions] = await Promise.all([
    found,
    allHostTypes(deps),
    capacityByRegion(deps.store, [everybody, kept]),
  ]);
  const sum = (id: string, of: "total" | "free") =>
    regions.reduce((all, { hosts }) => all + (hosts.get(id)?.[of] ?? 0), 0);
  return types.map((type) => ({
    host_types: hostTypes
      .filter((each) => matches(type, each))
      .map(({ id }) => ({ name: id, total: sum(id, "total"), free: sum(id, "free") })),
  }));
}
