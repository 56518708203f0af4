import type { Kinds } from "../object/kind.ts";
import type { Key } from "../store/store.ts";

/**
 * Prefixes of the partitions whose changes the relay handles: objects, archived objects, tickets,
 * deliveries to webhooks. The stream is filtered by them, because the relay's own writes (an
 * event's log entry, its counter and its mark) would otherwise call the relay again, three times
 * for each event.
 */
export const relayedPrefixes = (kinds: Kinds): readonly string[] =>
  [...Object.keys(kinds), "archive", "ticket", "webhooks"].map((kind) => `${kind}#`);

export const isRelayed = (kinds: Kinds, { pk }: Key): boolean =>
  relayedPrefixes(kinds).some((prefix) => pk.startsWith(prefix));
