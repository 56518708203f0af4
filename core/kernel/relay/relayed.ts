import { kinds } from "../../resources/kinds.ts";
import type { Key } from "../store/store.ts";

/**
 * How the partitions begin whose changes the relay makes something of: objects, objects that are
 * gone, tickets, deliveries to webhooks. The stream is filtered by this, since the relay's own writes (an event's entry in
 * the log with its counter and its mark) would call it again, three times for each event.
 */
export const relayedPrefixes: readonly string[] = [
  ...Object.keys(kinds),
  "archive",
  "ticket",
  "webhooks",
].map((kind) => `${kind}#`);

export const isRelayed = ({ pk }: Key): boolean =>
  relayedPrefixes.some((prefix) => pk.startsWith(prefix));
