import { asHostId } from "../id.ts";
import { freePartition, keptAt, keptPartition, poolShards } from "../kernel/object/hub-keys.ts";
import { pagesIn } from "../kernel/store/pages.ts";
import type { Item, Query, Store } from "../kernel/store/store.ts";
import type { Racks } from "./host.ts";
import {
  type FreeHost,
  hostEntries,
  inRack,
  inRacks,
  keptBy,
  type PoolPlace,
  rackIn,
} from "./pool.ts";

/** Free hosts that stand in one rack, or each in a rack of its own. */

/**
 * So many free hosts of a type on a hub as asked, none of `excluded`; none at all where there are not enough that stand
 * so: of those that are free for all, and that these allocations keep. A host whose rack is not known is not among them. Reads the index rack by rack, until it has what it looks for;
 * if it does not find it, all entries by key, since an index may lag.
 */
export async function findInRacks(
  store: Store,
  place: PoolPlace,
  {
    racks,
    count,
    allocations = [],
  }: { racks: Racks; count: number; allocations?: readonly string[] },
  excluded: ReadonlySet<string>,
): Promise<FreeHost[]> {
  const choose = racks === "same" ? inOneRack : oneInEach;
  const among = { excluded, allocations };
  const found = await choose(usable(byRack(store, place, allocations), among), count);
  return found ?? (await choose(usable(byKey(store, place), among), count)) ?? [];
}

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

async function* usable(
  entries: AsyncIterable<Item>,
  { excluded, allocations }: { excluded: ReadonlySet<string>; allocations: readonly string[] },
): AsyncGenerator<Racked> {
  for await (const entry of entries) {
    const [rack, kept] = [rackIn(entry), keptBy(entry)];
    if (rack === undefined || entry.state !== "free" || excluded.has(entry.sk)) continue;
    if (kept && !allocations.includes(kept.allocation)) continue;
    yield { id: asHostId(entry.sk), rack, kept };
  }
}

/** How many entries of a shard are read at once. */
const pageSize = 25;

/** The free hosts of all parts of the index in the order of their racks; of each rack first those that are kept. */
async function* byRack(
  store: Store,
  { hub, hostType }: PoolPlace,
  allocations: readonly string[],
): AsyncGenerator<Item> {
  const at = keptAt(hub, hostType);
  const keptInRacks = { from: at + inRacks.from, to: at + inRacks.to };
  const queries: Query[] = [
    ...allocations.map((id) => ({ pk: keptPartition(id), range: keptInRacks })),
    ...Array.from({ length: poolShards }, (_, shard) => ({
      ...{ pk: freePartition(hub, hostType, shard), range: inRacks },
    })),
  ];
  const parts = queries.map((query) =>
    each(pagesIn(store, { ...query, index: "g3", limit: pageSize })),
  );
  const heads = await Promise.all(parts.map((part) => part.next()));
  for (;;) {
    const open = heads.flatMap(({ value, done }, n) => (done ? [] : [{ item: value, n }]));
    const [first] = open.toSorted((a, b) => inOrderOfRacks(a.item, b.item));
    if (!first) return;
    yield first.item;
    const part = parts[first.n];
    if (part) heads[first.n] = await part.next();
  }
}

/** As the index has them, and of one rack first those that are kept. */
function inOrderOfRacks(a: Item, b: Item): number {
  const one = inRack(rackIn(a) ?? "");
  const other = inRack(rackIn(b) ?? "");
  if (one !== other) return one < other ? -1 : 1;
  return Number(keptBy(b) !== undefined) - Number(keptBy(a) !== undefined);
}

async function* byKey(store: Store, place: PoolPlace): AsyncGenerator<Item> {
  const entries: Item[] = [];
  for await (const entry of hostEntries(store, place)) entries.push(entry);
  yield* entries.toSorted(inOrderOfRacks);
}

async function* each(pages: AsyncGenerator<Item[]>): AsyncGenerator<Item, undefined> {
  for await (const items of pages) yield* items;
  return undefined;
}
