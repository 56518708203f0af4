import type { HostId } from "../id.ts";
import { asHostId } from "../id.ts";
import { freePartition, poolKey, poolPartition, poolShards } from "../kernel/object/hub-keys.ts";
import type { PlacedKind } from "../kernel/object/traits.ts";
import { pagesIn } from "../kernel/store/pages.ts";
import { absent, any, eq, type Item, type Store, type Write } from "../kernel/store/store.ts";
import type { Host, HostOwner } from "./host.ts";
import { countFree } from "./inventory.ts";

/**
 * The pool of hosts. The entry of a host is the only truth about who holds it: `free`, `held` by
 * exactly one owner, or `out` (not discovered, not reclaimed, in maintenance). One conditional write
 * moves one host; the index of free hosts only helps to find them.
 */

/** The most hosts that one transaction moves, beside the owner, its hub's slot, the fence and the tickets. */
export const hostsPerTransaction = 80;

/** The place of a host in the pool: its hub and its type. */
export interface PoolPlace {
  hub: string;
  hostType: string;
}

/** Where a host is, or would be, in the pool. */
export const placeOf = ({ hub, host_type }: Host["spec"]): PoolPlace => ({
  hub,
  hostType: host_type,
});

/** The holder of the host that has this entry. Only this module writes such items, so the cast is safe. */
export function ownerIn(entry: Item | undefined): HostOwner | undefined {
  if (entry?.state !== "held") return undefined;
  return { kind: entry.owner_kind as PlacedKind, id: String(entry.owner) };
}

const entry = (
  { hub, hostType }: PoolPlace,
  host: string,
  state: "free" | "held" | "out",
  { owner, rack }: { owner?: HostOwner; rack?: string | undefined } = {},
): Item => ({
  ...poolKey(hub, hostType, host),
  state,
  ...(owner && { owner: owner.id, owner_kind: owner.kind }),
  ...(state === "free"
    ? {
        ...(rack !== undefined && { rack }),
        g3pk: freePartition(hub, hostType, shardNumber(hub, hostType, host)),
        g3sk: rack === undefined ? host : `${racked}${encodeURIComponent(rack)}#${host}`,
      }
    : {}),
});

/** Free hosts lie in the index in the order of their racks; those whose rack is not known come before. */
const racked = "rack:";
export const inRacks = { from: racked, to: `${racked}~` };

/** The rack of a free host, as its entry has it. */
export const rackIn = ({ rack }: Item): string | undefined =>
  typeof rack === "string" ? rack : undefined;

const shardNumber = (hub: string, hostType: string, host: string): number =>
  Number(poolKey(hub, hostType, host).pk.split("#").at(-1));

/** Claims a free host for an owner. */
export const claimHost = (place: PoolPlace, host: string, owner: HostOwner): Write => ({
  put: entry(place, host, "held", { owner }),
  if: eq("state", "free"),
});

/** The host that a write claims, if it claims one. */
export const claimedHost = (write: Write): string | undefined =>
  "put" in write && write.put.state === "held" ? write.put.sk : undefined;

/** Releases a host: into the pool, or out of it when the host cannot be used. */
export const releaseHost = (
  place: PoolPlace,
  host: string,
  owner: string,
  usable: boolean,
  rack?: string,
): Write => ({
  put: entry(place, host, usable ? "free" : "out", { rack }),
  if: eq("owner", owner),
});

/** Puts a host that became usable into the pool, unless somebody holds it or it is there already. */
export const admitHost = (place: PoolPlace, host: string, rack?: string): Write => ({
  put: entry(place, host, "free", { rack }),
  if: any(absent, eq("state", "out")),
});

/** Has a free host lie where its rack is now. */
export const moveToRack = (place: PoolPlace, host: string, rack: string | undefined): Write => ({
  put: entry(place, host, "free", { rack }),
  if: eq("state", "free"),
});

/**
 * Takes a host out of the pool that nobody holds and that cannot be used any more (its agent is gone,
 * maintenance). `wasFree`: the pool had it as free, and not unknown.
 */
export const withdrawHost = (place: PoolPlace, host: string, wasFree: boolean): Write[] =>
  wasFree
    ? [{ put: entry(place, host, "out"), if: eq("state", "free") }, ...countFree([[place, -1]])]
    : [{ put: entry(place, host, "out"), if: absent }];

/**
 * Up to `count` free hosts of a type on a hub, none of `excluded`, from a random shard on. Queries the
 * index first. If it has too few, reads every shard by key, since an index may lag.
 */
export async function findFree(
  store: Store,
  place: PoolPlace,
  count: number,
  excluded: ReadonlySet<string>,
  random: () => number,
): Promise<HostId[]> {
  const first = Math.floor(random() * poolShards);
  const shards = Array.from({ length: poolShards }, (_, i) => (first + i) % poolShards);
  const found = new Set<string>();
  for (const source of ["index", "key"] as const) {
    for (const shard of shards) {
      if (found.size >= count) break;
      const wanted = count - found.size + excluded.size;
      for (const host of await freeIn(store, place, shard, source, wanted)) {
        if (!excluded.has(host) && found.size < count) found.add(host);
      }
    }
  }
  return [...found].map(asHostId);
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
  { hub, hostType }: PoolPlace,
  shard: number,
  source: "index" | "key",
  wanted: number,
): Promise<string[]> {
  if (source === "index") {
    const page = await store.query({
      index: "g3",
      pk: freePartition(hub, hostType, shard),
      limit: wanted,
    });
    return page.items.map((item) => item.sk);
  }
  const free: string[] = [];
  for await (const items of pagesIn(store, { pk: poolPartition(hub, hostType, shard) })) {
    free.push(...items.filter((item) => item.state === "free").map((item) => item.sk));
    if (free.length >= wanted) break;
  }
  return free;
}
