import { isDeepStrictEqual } from "node:util";
import {
  freeHostsKey,
  hostsKey,
  hubOfCounters,
  roomKey,
  roomPartition,
  slotsKey,
} from "../../kernel/object/hub-keys.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import { objectIn, type Records } from "../../kernel/object/records.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { everyItem } from "../../kernel/store/pages.ts";
import {
  absent,
  eq,
  type Item,
  type Json,
  type StreamRecord,
  type Write,
} from "../../kernel/store/store.ts";
import { type Entry, entriesOf, towards } from "../hubs/room.ts";
import { capacitiesOf, capacityWrites } from "./hub-capacity.ts";

/**
 * Keeps the entries of hubs in the lists of hubs with room, and their shares in the capacity of their regions, up to
 * date. Code that changes a hub or its counters writes neither: the relay sees the change and updates them, and a sweep
 * of the hub makes up for a record that the relay has lost. Until then a plan may miss the hub; code that frees
 * capacity has the entries updated before it wakes orders.
 */

export async function onCountersChanged(records: Records, { key }: StreamRecord): Promise<void> {
  const hub = hubOfCounters(key.pk);
  if (hub !== undefined) await noteRoom(records, hub);
}

/** Updates the entries and the shares of a hub to its present state. */
export async function noteRoom(records: Records, hub: string): Promise<void> {
  // Repeated until a check finds no difference, because the state may be outdated when it is written.
  for (let isChanged = true; isChanged; )
    isChanged = await optimistically(records.store, () => nearer(records, hub));
}

async function nearer(
  { store, kinds }: Records,
  id: string,
): Promise<{ writes: Write[]; result: boolean }> {
  // Read before the state, so that a concurrent writer of the entries has read a newer state.
  const stored = await everyItem(store, { pk: roomPartition(id) });
  const [known, shares] = [stored.find(isEntries), stored.filter((item) => !isEntries(item))];
  const listed = entriesBeside(known);
  const [item, slots, hosts, free] = await store.getMany([
    objectKey("hub", id),
    slotsKey(id),
    hostsKey(id),
    freeHostsKey(id),
  ]);
  const hub = item && objectIn<"hub">(kinds, item);
  const counters = { slots, hosts, free };
  const wanted = hub ? entriesOf(hub, counters) : [];
  if (!isDeepStrictEqual(listed, wanted)) {
    const { writes, after } = towards(listed, wanted);
    return { writes: [...writes, listWrite(id, known, after)], result: true };
  }
  const writes = capacityWrites(id, shares, hub ? capacitiesOf(hub, counters) : []);
  return { writes, result: writes.length > 0 };
}

const isEntries = ({ sk }: Item): boolean => sk === roomKey("").sk;

/** The entries of a hub from its own copy. Only this module writes such items. */
const entriesBeside = (item: Item | undefined): Entry[] =>
  item ? (item.entries as unknown as Entry[]) : [];

function listWrite(hub: string, known: Item | undefined, entries: Entry[]): Write {
  const isSame = known ? eq("revision", Number(known.revision)) : absent;
  if (entries.length === 0) return { delete: roomKey(hub), if: isSame };
  const revision = Number(known?.revision ?? 0) + 1;
  return {
    put: { ...roomKey(hub), revision, entries: entries as unknown as Json[] },
    if: isSame,
  };
}
