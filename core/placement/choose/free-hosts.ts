import type { HostId } from "../../id.ts";
import type { Store } from "../../kernel/store/store.ts";
import type { Candidate } from "../hubs/candidate.ts";
import { type FreeHost, findFree } from "../pool/entries.ts";
import { findInRacks, findReservedInRacks } from "../pool/racks.ts";
import type { ReservedCount } from "../pool/reserved.ts";
import type { HostSearch, lackingHosts } from "./demand.ts";

/** The free hosts of one hub for a demand: those reserved for the tenant come first. */

/** Free hosts by type. */
export type FreeByType = Map<string, FreeHost[]>;

/**
 * The counts of hosts of a type that are reserved on a hub for the demand's tenant; none if the demand is for
 * unreserved hosts.
 */
const ownOf = (
  { reserved = [] }: Candidate,
  type: string,
  { owner, free }: HostSearch,
): ReservedCount[] =>
  reserved.filter(({ hostType, tenant }) => !free && hostType === type && tenant === owner.tenant);

/** Free hosts that the tenant can claim on a hub: those reserved for it come first. */
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
    // By id, because a host may become reserved or unreserved between two reads. The later read counts.
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
 * All hosts of a demand with racks, from the hosts reserved for the tenant; undefined if these are not enough.
 * The tenant waits behind nobody for these hosts. Demands without racks need no such search, because the counts
 * alone show whether the hosts are enough.
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
