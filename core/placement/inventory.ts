import { hostsKey } from "../store/keys.ts";
import type { Item, Write } from "../store/store.ts";
import type { Place } from "./pool.ts";

/**
 * How many hosts of each type a hub has, whoever holds them: counted where the inventory changes,
 * in the same transaction, so that nobody has to list them.
 */

const prefix = "type:";

/** A host comes (no `from`), goes (no `to`), or is another's from now on. */
export function countHost(from: Place | undefined, to: Place | undefined): Write[] {
  const changes = new Map<string, Record<string, number>>();
  const add = ({ hub, hostType }: Place, n: number) => {
    const types = changes.get(hub) ?? {};
    types[prefix + hostType] = (types[prefix + hostType] ?? 0) + n;
    changes.set(hub, types);
  };
  if (from) add(from, -1);
  if (to) add(to, 1);
  return [...changes].map(([hub, types]) => ({ update: hostsKey(hub), add: types }));
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
