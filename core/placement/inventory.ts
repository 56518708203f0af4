import { freeHostsKey, hostsKey } from "../store/keys.ts";
import type { Item, Key, Write } from "../store/store.ts";
import type { Place } from "./pool.ts";

/**
 * How many hosts of each type a hub has, whoever holds them, and how many are free: counted where
 * the inventory and the pool change, in the same transaction, so that nobody has to list them.
 */

const prefix = "type:";

/** A host comes (no `from`), goes (no `to`), or is another's from now on. */
export function countHost(from: Place | undefined, to: Place | undefined): Write[] {
  const moves: [Place, number][] = [];
  if (from) moves.push([from, -1]);
  if (to) moves.push([to, 1]);
  return counted(moves, hostsKey);
}

/** Hosts that go into the pool as free ones (+) or are free no more (-), with the entries that say so. */
export const countFree = (moves: [Place, number][]): Write[] => counted(moves, freeHostsKey);

function counted(moves: [Place, number][], keyOf: (hub: string) => Key): Write[] {
  const changes = new Map<string, Record<string, number>>();
  for (const [{ hub, hostType }, n] of moves) {
    const types = changes.get(hub) ?? {};
    types[prefix + hostType] = (types[prefix + hostType] ?? 0) + n;
    changes.set(hub, types);
  }
  return [...changes].map(([hub, types]) => ({ update: keyOf(hub), add: types }));
}

/** Hosts by type in such an item. */
export function hostCounts(item: Item | undefined): Record<string, number> {
  return Object.fromEntries(
    Object.entries(item ?? {}).flatMap(([name, count]) =>
      name.startsWith(prefix) && typeof count === "number"
        ? [[name.slice(prefix.length), count]]
        : [],
    ),
  );
}
