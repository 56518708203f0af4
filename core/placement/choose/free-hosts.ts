import type { HostId } from "../../id.ts";
import type { Store } from "../../kernel/store/store.ts";
import type { Candidate } from "../hubs/candidate.ts";
import { type FreeHost, findFree } from "../pool/entries.ts";
import { findInRacks, findReservedInRacks } from "../pool/racks.ts";
import type { ReservedCount } from "../pool/reserved.ts";
import type { HostSearch, lackingHosts } from "./demand.ts";

/** The free hosts of one hub for a demand: first those that are reserved for the tenant. */

/** Free hosts by type. */
export type FreeByType = Map<string, FreeHost[]>;

/** What allocations reserve of a type on a hub for the tenant of a demand, if it may have that. */
const ownOf = (
  { reserved = [] }: Candidate,
  type: string,
  { owner, free }: HostSearch,
): ReservedCount[] =>
  reserved.filter(({ hostType, tenant }) => !free && hostType === type && tenant === owner.tenant);

/** Hosts that the tenant can claim on a hub: first those that are reserved for it. */
export async function freeOn(
  { store, random }: { store: Store; random: () => number },
  candidate: Candidate,
  types: Map<string, number>,
  taken: ReadonlySet<string>,
  demand: HostSearch,
): Promise<FreeByType> {
  const free: FreeByType = new Map();
  for (const [hostType, count] of types) {
    const place = { hub: candidate.hub.id, hostType };
    const own = ownOf(candidate, hostType, demand);
    const { racks } = demand;
    if (racks) {
      free.set(hostType, await findInRacks(store, place, { racks, count, own }, taken));
      continue;
    }
    // By id: a host may go from what is reserved to what is free for all between two reads. The later read holds.
    const found = new Map<HostId, FreeHost>();
    for (const allocation of [...own.map((each) => each.allocation), undefined]) {
      if (found.size === count) break;
      const more = await findFree(store, place, count - found.size, taken, random, allocation);
      for (const host of more) found.set(host.id, host);
    }
    free.set(hostType, [...found.values()]);
  }
  return free;
}

/**
 * All hosts of a demand for racks from those that are reserved for the tenant, for which it waits behind nobody; undefined
 * where these are not enough. Of other demands the counts alone tell whether they are, so that nobody is before them then.
 */
export async function reservedOn(
  { store }: { store: Store },
  candidate: Candidate,
  types: Map<string, number>,
  taken: ReadonlySet<string>,
  demand: HostSearch,
): Promise<FreeByType | undefined> {
  const { racks } = demand;
  if (!racks || demand.slot) return undefined;
  const free: FreeByType = new Map();
  for (const [hostType, count] of types) {
    const place = { hub: candidate.hub.id, hostType };
    const own = ownOf(candidate, hostType, demand);
    const found = await findReservedInRacks(store, place, { racks, count, own }, taken);
    if (found.length < count) return undefined;
    free.set(hostType, found);
  }
  return free;
}

/** Assigns the found hosts to the sets; sets of one type share the found hosts. */
export function assign(
  lacking: ReturnType<typeof lackingHosts>,
  free: FreeByType,
): Map<string, HostId[]> {
  const left = new Map([...free].map(([type, hosts]) => [type, hosts.map(({ id }) => id)]));
  return new Map(
    [...lacking].map(([set, { hostType, count }]) => [
      set,
      left.get(hostType)?.splice(0, count) ?? [],
    ]),
  );
}

/** The allocations of those found hosts that are reserved. */
export const allocationsOfFree = (free: FreeByType): ReadonlyMap<HostId, string> =>
  new Map(
    [...free.values()]
      .flat()
      .flatMap(({ id, reservedFor }) =>
        reservedFor === undefined ? [] : [[id, reservedFor.allocation]],
      ),
  );
