import { allocationHosts, hubCounters } from "../object/hub-keys.ts";
import type { Kinds } from "../object/kind.ts";
import type { Key } from "../store/store.ts";

/**
 * Prefixes of the partitions whose changes the relay handles: objects, archived objects, tickets,
 * timers, deliveries to webhooks, counters of hubs. The stream is filtered by them, because the relay's own
 * writes, such as the entry of an event, would otherwise call the relay again.
 */
export const relayedPrefixes = (kinds: Kinds): readonly string[] =>
  [
    ...Object.keys(kinds),
    "archive",
    "ticket",
    "timer",
    "webhooks",
    allocationHosts,
    ...hubCounters,
  ].map((word) => `${word}#`);

export const isRelayed = (kinds: Kinds, { pk }: Key): boolean => {
  const prefixes = known.get(kinds) ?? new Set(relayedPrefixes(kinds));
  known.set(kinds, prefixes);
  return prefixes.has(pk.slice(0, pk.indexOf("#") + 1));
};

/** Cached, because a registry never changes. */
const known = new WeakMap<Kinds, ReadonlySet<string>>();
