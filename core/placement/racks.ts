import type { HostId } from "../id.ts";
import { asHostId } from "../id.ts";
import { freePartition, poolShards } from "../kernel/object/hub-keys.ts";
import { pagesIn } from "../kernel/store/pages.ts";
import type { Item, Store } from "../kernel/store/store.ts";
import type { Racks } from "./host.ts";
import { hostEntries, inRacks, type PoolPlace, rackIn } from "./pool.ts";

/** Free hosts that stand in one rack, or each in a rack of its own. */

/**
 * So many free hosts of a type on a hub as asked, none of `excluded`; none at all where there are not enough that stand
 * so. A host whose rack is not known is not among them. Reads the index rack by rack, until it has what it looks for;
 * if it does not find it, all entries by key, since an index may lag.
 */
export async function findInRacks(
  store: Store,
  place: PoolPlace,
  { racks, count }: { racks: Racks; count: number },
  excluded: ReadonlySet<string>,
): Promise<HostId[]> {
  const choose = racks === "same" ? inOneRack : oneInEach;
  const found = await choose(usable(byRack(store, place), excluded), count);
  return found ?? (await choose(usable(byKey(store, place), excluded), count)) ?? [];
}

interface Racked {
  host: HostId;
  rack: string;
}

async function inOneRack(
  hosts: AsyncGenerator<Racked>,
  count: number,
): Promise<HostId[] | undefined> {
  let [rack, found] = ["", [] as HostId[]];
  for await (const each of hosts) {
    if (each.rack !== rack) [rack, found] = [each.rack, []];
    found.push(each.host);
    if (found.length === count) return found;
  }
  return undefined;
}

async function oneInEach(
  hosts: AsyncGenerator<Racked>,
  count: number,
): Promise<HostId[] | undefined> {
  const found = new Map<string, HostId>();
  for await (const { rack, host } of hosts) {
    if (!found.has(rack)) found.set(rack, host);
    if (found.size === count) return [...found.values()];
  }
  return undefined;
}

async function* usable(
  entries: AsyncIterable<Item>,
  excluded: ReadonlySet<string>,
): AsyncGenerator<Racked> {
  for await (const entry of entries) {
    const rack = rackIn(entry);
    if (rack !== undefined && entry.state === "free" && !excluded.has(entry.sk))
      yield { rack, host: asHostId(entry.sk) };
  }
}

/** How many entries of a shard are read at once. */
const pageSize = 25;

/** The free hosts of all shards in the order of their racks. */
async function* byRack(store: Store, { hub, hostType }: PoolPlace): AsyncGenerator<Item> {
  const shards = Array.from({ length: poolShards }, (_, shard) =>
    each(
      pagesIn(store, {
        ...{ index: "g3", pk: freePartition(hub, hostType, shard) },
        ...{ range: inRacks, limit: pageSize },
      }),
    ),
  );
  const heads = await Promise.all(shards.map((shard) => shard.next()));
  for (;;) {
    const open = heads.flatMap(({ value, done }, n) => (done ? [] : [{ item: value, n }]));
    const [first] = open.toSorted((a, b) => (String(a.item.g3sk) < String(b.item.g3sk) ? -1 : 1));
    if (!first) return;
    yield first.item;
    const shard = shards[first.n];
    if (shard) heads[first.n] = await shard.next();
  }
}

async function* byKey(store: Store, place: PoolPlace): AsyncGenerator<Item> {
  const entries: Item[] = [];
  for await (const entry of hostEntries(store, place)) entries.push(entry);
  yield* entries.toSorted((a, b) => ((rackIn(a) ?? "") < (rackIn(b) ?? "") ? -1 : 1));
}

async function* each(pages: AsyncGenerator<Item[]>): AsyncGenerator<Item, undefined> {
  for await (const items of pages) yield* items;
  return undefined;
}
