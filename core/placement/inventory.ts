import { freeHostsKey, hostsKey } from "../kernel/object/keys.ts";
import type { Item, Key, Write } from "../kernel/store/store.ts";
import type { Place } from "./pool.ts";

/**
 * How many hosts of each type a hub has, whoever holds them; how many of them are free, and how many
 * are held: counted where the inventory and the pool change, in the same transaction, so that nobody
 * has to list them.
 */

const prefixes = { type: "type:", held: "held:" };
type Count = keyof typeof prefixes;

/** A host comes (no `from`), goes (no `to`), or is another's from now on. */
export function countHost(from: Place | undefined, to: Place | undefined): Write[] {
  const moves: Move[] = [];
  if (from) moves.push([from, "type", -1]);
  if (to) moves.push([to, "type", 1]);
  return counted(moves, hostsKey);
}

type Move = [Place, Count, number];

/** Hosts that go into the pool as free ones (+) or are free no more (-), with the entries that say so. */
export const countFree = (moves: [Place, number][]): Write[] =>
  counted(
    moves.map(([place, n]): Move => [place, "type", n]),
    freeHostsKey,
  );

/** Hosts that owners take out of the pool. */
export const countTaken = (places: Place[]): Write[] =>
  counted(
    places.flatMap((place): Move[] => [
      [place, "type", -1],
      [place, "held", 1],
    ]),
    freeHostsKey,
  );

/** Hosts that owners let go: into the pool, or out of it where they cannot be used. */
export const countGiven = (hosts: { place: Place; usable: boolean }[]): Write[] =>
  counted(
    hosts.flatMap(({ place, usable }): Move[] => [
      [place, "held", -1],
      [place, "type", usable ? 1 : 0],
    ]),
    freeHostsKey,
  );

function counted(moves: Move[], keyOf: (hub: string) => Key): Write[] {
  const changes = new Map<string, Record<string, number>>();
  for (const [{ hub, hostType }, count, n] of moves) {
    const types = changes.get(hub) ?? {};
    const name = prefixes[count] + hostType;
    types[name] = (types[name] ?? 0) + n;
    changes.set(hub, types);
  }
  return [...changes].map(([hub, types]) => ({ update: keyOf(hub), add: types }));
}

/** Hosts by type in such an item: those it is of, or those that are held. */
export function hostCounts(item: Item | undefined, count: Count = "type"): Record<string, number> {
  const prefix = prefixes[count];
  return Object.fromEntries(
    Object.entries(item ?? {}).flatMap(([name, count]) =>
      name.startsWith(prefix) && typeof count === "number"
        ? [[name.slice(prefix.length), count]]
        : [],
    ),
  );
}
