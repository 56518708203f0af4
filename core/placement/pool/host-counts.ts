import { freeHostsKey, hostsKey } from "../../kernel/object/hub-keys.ts";
import type { Item, Key, Write } from "../../kernel/store/store.ts";
import type { PoolPlace } from "./entries.ts";
import { countReserved, type ReservedFor } from "./reserved.ts";

/**
 * Counts of a hub's hosts by type: all hosts, hosts that are free for all, and held hosts. They change in the
 * transactions that change the inventory and the pool, so that nobody has to list hosts.
 */

const prefixes = {
  ...{ type: "type:", held: "held:" },
  ...{ idle: "idle:", coming: "coming:", late: "late:" },
};
type Count = keyof typeof prefixes;
/** The counts of servers behind the pool (`hot-pools/standby.ts`). */
type StandbyCount = Exclude<Count, "type" | "held">;

/** Counts a host that is added (no `from`), removed (no `to`), or moved to another place. */
export function countHost(from: PoolPlace | undefined, to: PoolPlace | undefined): Write[] {
  const moves: Move[] = [];
  if (from) moves.push([from, "type", -1]);
  if (to) moves.push([to, "type", 1]);
  return counted(moves, hostsKey);
}

type Move = [PoolPlace, Count, number];

/** Counts hosts that become free (+) or stop being free (-), together with the writes of their entries. */
export const countFree = (moves: [PoolPlace, number][]): Write[] =>
  counted(
    moves.map(([place, n]): Move => [place, "type", n]),
    freeHostsKey,
  );

/** Counts hosts that owners claim from the pool. */
export const countClaimed = (
  hosts: { place: PoolPlace; reservedFor: ReservedFor | undefined }[],
): Write[] => [
  ...counted(
    hosts.flatMap(({ place, reservedFor }): Move[] => [
      ...(reservedFor ? [] : [[place, "type", -1] as Move]),
      [place, "held", 1],
    ]),
    freeHostsKey,
  ),
  ...countReserved(hosts.map((each) => ({ ...each, free: -1, used: 1 }))),
];

/** Counts hosts that owners release: into the pool, or out of it where they cannot be used. */
export const countReleased = (
  hosts: { place: PoolPlace; usable: boolean; reservedFor: ReservedFor | undefined }[],
): Write[] => [
  ...counted(
    hosts.flatMap(({ place, usable, reservedFor }): Move[] => [
      [place, "held", -1],
      [place, "type", usable && !reservedFor ? 1 : 0],
    ]),
    freeHostsKey,
  ),
  ...countReserved(hosts.map((each) => ({ ...each, free: each.usable ? 1 : 0, used: -1 }))),
];

/** Counts servers that begin (+) or end (-) a standby state. */
export const countStandby = (moves: [PoolPlace, StandbyCount, number][]): Write[] =>
  counted(moves, freeHostsKey);

/** The name of a number in the counters of a hub's pool. */
export const counterName = (count: Count, hostType: string): string => prefixes[count] + hostType;

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

/** The number of control planes on a hub, from the counter of its slots. */
export const slotsUsed = (item: Item | undefined): number => Number(item?.used ?? 0);

/** The numbers in a counter item, by type: of all hosts, or of held hosts. */
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
