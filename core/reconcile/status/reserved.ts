import { allocationHostsKey } from "../../kernel/object/hub-keys.ts";
import { kindPartition } from "../../kernel/object/keys.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { objectsIn, type Records } from "../../kernel/object/records.ts";
import type { Item } from "../../kernel/store/store.ts";
import {
  allocationCounts,
  type ReservedCount,
  reservedByType,
} from "../../placement/pool/reserved.ts";
import type { Status } from "./schema.ts";

const shown = 20;
/** After this many allocations, no further page is read: providers have fewer. */
const read = 1000;

interface Allocation {
  allocation: ObjectOf["allocation"];
  /** Its counters. */
  counts: Item | undefined;
}

/** The allocations with the counters of their hosts. */
export async function allAllocations(records: Records): Promise<Allocation[]> {
  const query = { index: "g4", pk: kindPartition("allocation") } as const;
  const found: ObjectOf["allocation"][] = [];
  for await (const some of objectsIn<"allocation">(records, query)) {
    found.push(...some);
    if (found.length >= read) break;
  }
  const counters = await records.store.getMany(found.map(({ id }) => allocationHostsKey(id)));
  return found.map((allocation, n) => ({ allocation, counts: counters[n] }));
}

interface Reserved extends Pick<Status, "allocations" | "more_allocations"> {
  /** The free hosts that are reserved, by type and tenant. */
  kept: ReservedCount[];
}

/**
 * The allocations, by the number of missing hosts, highest first. `free` has the free hosts of each type. Pure.
 */
export function reservedHosts(
  allocations: readonly Allocation[],
  free: ReadonlyMap<string, number>,
): Reserved {
  const kept: ReservedCount[] = [];
  const all = allocations.map(({ allocation, counts }) => {
    const { id, metadata, spec, host_types } = allocation;
    const { name, tenant } = metadata;
    for (const [hostType, count] of Object.entries(reservedByType(counts)))
      kept.push({ hostType, tenant, allocation: id, count });
    const { free: keptHosts, used } = allocationCounts(counts);
    return {
      ...{ id, name, tenant, host_types, reserved: spec.reserved, kept: keptHosts, used },
      lacking: Math.max(0, spec.reserved - keptHosts - used),
      free: host_types.reduce((sum, type) => sum + (free.get(type) ?? 0), 0),
    };
  });
  const first = all.toSorted((a, b) => b.lacking - a.lacking || (a.name < b.name ? -1 : 1));
  return {
    ...{ kept, allocations: first.slice(0, shown) },
    more_allocations: Math.max(0, all.length - shown),
  };
}
