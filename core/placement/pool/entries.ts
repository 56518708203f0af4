import type { HostId } from "../../id.ts";
import { asHostId } from "../../id.ts";
import {
  freePartition,
  heldForPartition,
  heldPartition,
  keptAt,
  keptPartition,
  poolKey,
  poolPartition,
  poolShards,
} from "../../kernel/object/hub-keys.ts";
import type { PlacedKind } from "../../kernel/object/traits.ts";
import { pagesIn } from "../../kernel/store/pages.ts";
import {
  absent,
  all,
  any,
  eq,
  type Item,
  lacks,
  type Query,
  type Store,
  type Write,
} from "../../kernel/store/store.ts";
import type { Host, HostOwner } from "./host.ts";
import { countFree } from "./host-counts.ts";
import { countReserved, type ReservedFor } from "./reserved.ts";

/**
 * The pool of hosts. The entry of a host is the only source for who holds it: `free`, `held` by exactly one owner, or
 * `out` (not discovered, not reclaimed, in maintenance). One conditional write moves one host; the index of free hosts
 * only helps to find them. A free host that an allocation has reserved can be claimed for its tenant alone
 * (`reserved.ts`).
 */

/** The most hosts that one transaction moves, beside the owner, its hub's slot, the fence and the tickets. */
export const hostsPerTransaction = 80;

/** The place of a host in the pool: its hub and its type. */
export interface PoolPlace {
  hub: string;
  hostType: string;
}

/** The place of a host in the pool, whether it is in the pool or not. */
export const poolPlaceOf = ({ hub, host_type }: Host["spec"]): PoolPlace => ({
  hub,
  hostType: host_type,
});

/** The holder of a host, from its entry. Only this module writes such items, so the cast is safe. */
export function ownerIn(entry: Item | undefined): HostOwner | undefined {
  if (entry?.state !== "held") return undefined;
  return { kind: entry.owner_kind as PlacedKind, id: String(entry.owner) };
}

/** The reservation of a host, from its entry; undefined for a host that is not reserved. */
export const reservedBy = (entry: Item | undefined): ReservedFor | undefined =>
  entry?.kept === undefined
    ? undefined
    : { allocation: String(entry.kept), tenant: String(entry.kept_for) };

export interface HostClaimant extends HostOwner {
  tenant: string;
}

/** The entry of a host that nobody can claim: held, in the indexes of its owner and of the owner's tenant; or out. */
const entry = ({ hub, hostType }: PoolPlace, host: string, owner?: HostClaimant): Item => ({
  ...poolKey(hub, hostType, host),
  state: owner ? "held" : "out",
  ...(owner && {
    ...{ id: host, owner: owner.id, owner_kind: owner.kind },
    ...{ g3pk: heldPartition(owner.id), g3sk: host },
    ...{ g4pk: heldForPartition(owner.tenant), g4sk: host },
  }),
});

/** Data of a free host, besides its place. */
interface FreeHostFacts {
  rack?: string | undefined;
  reservedFor?: ReservedFor | undefined;
}

/**
 * The entry of a free host, in the index of hosts that are free for all, or in that of the allocation that has reserved
 * it. The index sorts hosts by rack; hosts without a known rack come first.
 */
function freeEntry(
  { hub, hostType }: PoolPlace,
  host: string,
  { rack, reservedFor }: FreeHostFacts,
): Item {
  const inOrder = rack === undefined ? host : inRack(rack) + host;
  return {
    ...poolKey(hub, hostType, host),
    state: "free",
    ...(rack !== undefined && { rack }),
    ...(reservedFor
      ? {
          ...{ kept: reservedFor.allocation, kept_for: reservedFor.tenant },
          ...{ g3pk: keptPartition(reservedFor.allocation), g3sk: keptAt(hub, hostType) + inOrder },
        }
      : { g3pk: freePartition(hub, hostType, shardNumber(hub, hostType, host)), g3sk: inOrder }),
  };
}

const racked = "rack:";
export const inRacks = { from: racked, to: `${racked}~` };
/** The prefix of the hosts of a rack in the index. */
export const inRack = (rack: string): string => `${racked}${encodeURIComponent(rack)}#`;

/** The rack in a host's index key. */
export const rackAt = (inOrder: string, host: string): string =>
  decodeURIComponent(inOrder.slice(racked.length, -host.length - 1));

/** The rack of a free host, from its entry. */
export const rackIn = ({ rack }: Item): string | undefined =>
  typeof rack === "string" ? rack : undefined;

const shardNumber = (hub: string, hostType: string, host: string): number =>
  Number(poolKey(hub, hostType, host).pk.split("#").at(-1));

/** The condition that the host is free for all, or reserved by this allocation. */
const isFree = (reservedFor?: Pick<ReservedFor, "allocation">) =>
  all(eq("state", "free"), reservedFor ? eq("kept", reservedFor.allocation) : lacks("kept"));

/** Claims a free host for an owner: one that is free for all, or that is reserved for the owner's tenant. */
export const claimHost = (
  place: PoolPlace,
  host: string,
  owner: HostClaimant,
  reservedFor?: ReservedFor,
): Write => ({
  put: entry(place, host, owner),
  if: isFree(reservedFor),
});

/** A free host as found in the pool. */
export interface FreeHost extends FreeHostFacts {
  id: HostId;
}

const freeHost = (entry: Item): FreeHost => ({
  id: asHostId(entry.sk),
  rack: rackIn(entry),
  reservedFor: reservedBy(entry),
});

/** Reserves a free host for an allocation; without one, makes it free for all. */
export const reserveHost = (
  place: PoolPlace,
  { id, ...was }: FreeHost,
  reservedFor?: ReservedFor,
): Write => ({
  put: freeEntry(place, id, { ...was, reservedFor }),
  if: all(isFree(was.reservedFor), was.rack === undefined ? lacks("rack") : eq("rack", was.rack)),
});

/** The host that a write claims, if any. */
export const claimedHost = (write: Write): string | undefined =>
  "put" in write && write.put.state === "held" ? write.put.sk : undefined;

/**
 * Releases a host: into the pool, or out of it when the host cannot be used. A host that was reserved for the owner's
 * tenant is reserved again in the pool; for one that leaves the pool, the allocation gets another.
 */
export const releaseHost = (
  place: PoolPlace,
  host: string,
  owner: string,
  usable: boolean,
  stands: FreeHostFacts = {},
): Write => ({
  put: usable ? freeEntry(place, host, stands) : entry(place, host),
  if: eq("owner", owner),
});

/** Puts a host that became usable into the pool, unless it is held or in the pool already. */
export const admitHost = (place: PoolPlace, host: string, rack?: string): Write => ({
  put: freeEntry(place, host, { rack }),
  if: any(absent, eq("state", "out")),
});

/** Moves the entry of a free host to its present rack in the index. */
export function moveToRack(
  place: PoolPlace,
  host: string,
  was: Item,
  rack: string | undefined,
): Write {
  const reservedFor = reservedBy(was);
  return { put: freeEntry(place, host, { rack, reservedFor }), if: isFree(reservedFor) };
}

/**
 * Takes a host that is not held and no longer usable (its agent is gone, maintenance) out of the pool. `was`: its entry
 * while it was free; undefined for a host without an entry.
 */
export const withdrawHost = (place: PoolPlace, host: string, was: Item | undefined): Write[] => [
  { put: entry(place, host), if: was ? isFree(reservedBy(was)) : absent },
  ...countWithdrawn(place, was),
];

/** Removes the entry of a host that is not held. */
export const removeHost = (
  { hub, hostType }: PoolPlace,
  host: string,
  was: Item | undefined,
): Write[] => [
  {
    delete: poolKey(hub, hostType, host),
    if:
      was === undefined
        ? absent
        : was.state === "free"
          ? isFree(reservedBy(was))
          : eq("state", "out"),
  },
  ...countWithdrawn({ hub, hostType }, was),
];

function countWithdrawn(place: PoolPlace, was: Item | undefined): Write[] {
  if (was?.state !== "free") return [];
  const reservedFor = reservedBy(was);
  return reservedFor ? countReserved([{ place, reservedFor, free: -1 }]) : countFree([[place, -1]]);
}

/**
 * Up to `count` free hosts of a type on a hub, none of `excluded`, starting at a random shard: hosts that are free for
 * all, or that one allocation has reserved. Queries the index first. If that has too few, reads every shard by key,
 * since an index may lag.
 */
export async function findFree(
  store: Store,
  place: PoolPlace,
  count: number,
  excluded: ReadonlySet<string>,
  random: () => number,
  allocation?: string,
): Promise<FreeHost[]> {
  const first = Math.floor(random() * poolShards);
  const shards = Array.from({ length: poolShards }, (_, i) => (first + i) % poolShards);
  const found = new Map<string, FreeHost>();
  for (const source of ["index", "key"] as const) {
    // The hosts that an allocation has reserved share one index partition.
    const parts = source === "index" && allocation !== undefined ? [first] : shards;
    for (const shard of parts) {
      if (found.size >= count) break;
      const wanted = count - found.size + excluded.size;
      for (const host of await freeIn(store, { ...place, allocation }, shard, source, wanted)) {
        if (!excluded.has(host.id) && found.size < count) found.set(host.id, host);
      }
    }
  }
  return [...found.values()];
}

/** The entries of all hosts of a type on a hub. Strongly consistent. */
export async function* hostEntries(
  store: Store,
  { hub, hostType }: PoolPlace,
): AsyncGenerator<Item> {
  for (let shard = 0; shard < poolShards; shard++)
    for await (const items of pagesIn(store, { pk: poolPartition(hub, hostType, shard) }))
      yield* items;
}

async function freeIn(
  store: Store,
  { hub, hostType, allocation }: PoolPlace & { allocation: string | undefined },
  shard: number,
  source: "index" | "key",
  wanted: number,
): Promise<FreeHost[]> {
  if (source === "index") {
    const among: Query =
      allocation === undefined
        ? { pk: freePartition(hub, hostType, shard) }
        : { pk: keptPartition(allocation), range: { prefix: keptAt(hub, hostType) } };
    const page = await store.query({ ...among, index: "g3", limit: wanted });
    return page.items.map(freeHost);
  }
  const free: FreeHost[] = [];
  for await (const items of pagesIn(store, { pk: poolPartition(hub, hostType, shard) })) {
    const wholly = items.filter(
      (item) => item.state === "free" && reservedBy(item)?.allocation === allocation,
    );
    free.push(...wholly.map(freeHost));
    if (free.length >= wanted) break;
  }
  return free;
}
