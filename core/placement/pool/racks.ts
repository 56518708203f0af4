import { asHostId, type HostId } from "../../id.ts";
import {
  freeHostsKey,
  freePartition,
  keptAt,
  keptPartition,
  poolShards,
} from "../../kernel/object/hub-keys.ts";
import { pagesIn } from "../../kernel/store/pages.ts";
import { type Item, keyPage, type Query, type Store } from "../../kernel/store/store.ts";
import {
  type FreeHost,
  hostEntries,
  inRack,
  inRacks,
  type PoolPlace,
  rackAt,
  rackIn,
  reservedBy,
} from "./entries.ts";
import type { Racks } from "./host.ts";
import { hostCounts } from "./host-counts.ts";
import type { ReservedCount, ReservedFor } from "./reserved.ts";

/** Free hosts in one rack, or each in a rack of its own. */

/** The placement in racks, the number of hosts, and the reserved hosts of the tenant there. */
interface RackRequest {
  racks: Racks;
  count: number;
  own?: readonly ReservedCount[];
}

/**
 * Finds free hosts of a type on a hub: exactly the requested number, placed as requested, none of `excluded`; or none
 * at all. Tries the hosts reserved for the tenant first, then these together with the hosts that are free for all.
 * Leaves out hosts without a known rack. Reads the keys of the index rack by rack, until it has found enough or has
 * read `mostRead`. Reads all entries if the index has fewer hosts than the counters, since it may lag.
 */
export async function findInRacks(
  store: Store,
  place: PoolPlace,
  asked: RackRequest,
  excluded: ReadonlySet<string>,
): Promise<FreeHost[]> {
  const { racks, count, own = [] } = asked;
  const reserved = await findReservedInRacks(store, place, asked, excluded);
  if (reserved.length > 0) return reserved;
  const free = hostCounts(await store.get(freeHostsKey(place.hub)))[place.hostType] ?? 0;
  const there = free + sumOf(own);
  if (there < count) return [];
  const parts = [...reservedParts(place, own), ...freeParts(place)];
  let read = 0;
  async function* indexed(): AsyncGenerator<Racked> {
    for await (const host of byRack(store, parts)) {
      if (read === mostRead) return;
      read += 1;
      if (!excluded.has(host.id)) yield host;
    }
  }
  const found = await chosen[racks](indexed(), count);
  if (found || read === mostRead) return found ?? [];
  if (read >= there || (await haveAll(store, parts, there))) return [];
  return (await chosen[racks](byKey(store, place, own, excluded), count)) ?? [];
}

/** Finds such hosts among those reserved for the tenant only, by the index. */
export async function findReservedInRacks(
  store: Store,
  place: PoolPlace,
  { racks, count, own = [] }: RackRequest,
  excluded: ReadonlySet<string>,
): Promise<FreeHost[]> {
  if (sumOf(own) < count) return [];
  async function* indexed(): AsyncGenerator<Racked> {
    for await (const host of byRack(store, reservedParts(place, own)))
      if (!excluded.has(host.id)) yield host;
  }
  return (await chosen[racks](indexed(), count)) ?? [];
}

const sumOf = (own: readonly ReservedCount[]): number =>
  own.reduce((sum, each) => sum + each.count, 0);

type Racked = FreeHost & { rack: string };

async function inOneRack(
  hosts: AsyncGenerator<Racked>,
  count: number,
): Promise<Racked[] | undefined> {
  let [rack, found] = ["", [] as Racked[]];
  for await (const each of hosts) {
    if (each.rack !== rack) [rack, found] = [each.rack, []];
    found.push(each);
    if (found.length === count) return found;
  }
  return undefined;
}

async function oneInEach(
  hosts: AsyncGenerator<Racked>,
  count: number,
): Promise<Racked[] | undefined> {
  const found = new Map<string, Racked>();
  for await (const host of hosts) {
    if (!found.has(host.rack)) found.set(host.rack, host);
    if (found.size === count) return [...found.values()];
  }
  return undefined;
}

const chosen = { same: inOneRack, spread: oneInEach } satisfies Record<Racks, unknown>;

/** The number of keys that the first query of a part of the index reads, and each later one. */
const pageSizes = { first: 25, onward: keyPage };
/** The limit of keys that one search reads: more than the free hosts of one type on a hub. */
const mostRead = 10_000;

/** A part of the index. `at` is the prefix before the racks in its keys. */
interface Part {
  pk: string;
  at: string;
  reservedFor?: ReservedFor;
}

const reservedParts = ({ hub, hostType }: PoolPlace, own: readonly ReservedCount[]): Part[] =>
  own.map(({ allocation, tenant }) => ({
    ...{ pk: keptPartition(allocation), at: keptAt(hub, hostType) },
    reservedFor: { allocation, tenant },
  }));

const freeParts = ({ hub, hostType }: PoolPlace): Part[] =>
  Array.from({ length: poolShards }, (_, shard) => ({
    ...{ pk: freePartition(hub, hostType, shard), at: "" },
  }));

/**
 * The hosts in parts of the index, sorted by rack; in each rack reserved hosts come first. Each host appears once, even
 * if it moves between parts meanwhile.
 */
async function* byRack(store: Store, all: readonly Part[]): AsyncGenerator<Racked> {
  const seen = new Set<HostId>();
  const parts = all.map((part) => hostsIn(store, part));
  const heads = await Promise.all(parts.map((part) => part.next()));
  for (;;) {
    const open = heads.flatMap(({ value, done }, n) => (done ? [] : [{ host: value, n }]));
    const [first] = open.toSorted((a, b) => inOrderOfRacks(a.host, b.host));
    if (!first) return;
    if (!seen.has(first.host.id)) yield first.host;
    seen.add(first.host.id);
    const part = parts[first.n];
    if (part) heads[first.n] = await part.next();
  }
}

/** Sorts by rack as the index does; in a rack, reserved hosts come first. */
function inOrderOfRacks(a: Racked, b: Racked): number {
  const [one, other] = [inRack(a.rack), inRack(b.rack)];
  if (one !== other) return one < other ? -1 : 1;
  return Number(b.reservedFor !== undefined) - Number(a.reservedFor !== undefined);
}

async function* hostsIn(
  store: Store,
  { pk, at, reservedFor }: Part,
): AsyncGenerator<Racked, undefined> {
  const range = { from: at + inRacks.from, to: at + inRacks.to };
  const query: Query = { index: "g3", pk, range, only: "keys" };
  const racked = ({ sk, g3sk }: Item): Racked => ({
    ...{ id: asHostId(sk), rack: rackAt(String(g3sk).slice(at.length), sk), reservedFor },
  });
  const { items, cursor } = await store.query({ ...query, limit: pageSizes.first });
  yield* items.map(racked);
  if (cursor === undefined) return undefined;
  const onward = pagesIn(store, { ...query, cursor, limit: pageSizes.onward });
  for await (const more of onward) yield* more.map(racked);
  return undefined;
}

/** Whether these parts of the index have this number of hosts, including those without a rack. */
async function haveAll(store: Store, parts: readonly Part[], there: number): Promise<boolean> {
  const counted = await Promise.all(
    parts.map(({ pk, at }) =>
      store.count({ index: "g3", pk, ...(at !== "" && { range: { prefix: at } }) }),
    ),
  );
  return counted.reduce((sum, { count }) => sum + count, 0) >= there;
}

async function* byKey(
  store: Store,
  place: PoolPlace,
  own: readonly ReservedCount[],
  excluded: ReadonlySet<string>,
): AsyncGenerator<Racked> {
  const allocations = own.map(({ allocation }) => allocation);
  const hosts: Racked[] = [];
  for await (const entry of hostEntries(store, place)) {
    const [rack, reservedFor] = [rackIn(entry), reservedBy(entry)];
    if (rack === undefined || entry.state !== "free" || excluded.has(entry.sk)) continue;
    if (!reservedFor || allocations.includes(reservedFor.allocation))
      hosts.push({ id: asHostId(entry.sk), rack, reservedFor });
  }
  yield* hosts.toSorted(inOrderOfRacks);
}
