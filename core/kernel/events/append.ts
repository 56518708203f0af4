import type { Deps } from "../deps.ts";
import { definitionOf } from "../object/kind.ts";
import { historyKey, logKey } from "../object/log-keys.ts";
import type { Kind } from "../object/object.ts";
import { absent, type Item, type Key, TransactionRefused, type Write } from "../store/store.ts";
import type { Event } from "./events.ts";
import { packedEvent } from "./log-entry.ts";
import { ofEntry, timeOf } from "./position.ts";

/** How long events are kept, in seconds: for watchers that reconnect, and to recognize repeated events. */
export const eventsKept = 7 * 24 * 3600;

interface Appended {
  kind: Kind;
  id: string;
  event: Event;
  /** The time of the entry of the object's previous event; 0 without a previous event, undefined if unknown. */
  earlier: number | undefined;
  /** Whether the item at the event's first place marks the event as unpublished. */
  untold?: boolean;
}

/**
 * Appends an event to the log of its tenant, unless the log has it. Answers the time of its entry. Throws Unavailable
 * when the store takes too long.
 *
 * The event's own time determines its first place, so every process that has the event can compute the place. The
 * first write at this place stays, and decides where the event is: it is the entry itself, or a mark with the entry's
 * time. So the event is in the log once, despite concurrent processes and late writes. The entry is written to the first
 * place while no reader can have passed that place; this is one plain write. An event that comes later, or whose first
 * place is not after the object's previous event, gets a mark, and an entry of the present time, in one transaction. No
 * item is shared with other events.
 */
export async function append(
  deps: Pick<Deps, "store" | "kinds" | "clock" | "logTime">,
  { kind, id, event, earlier, untold }: Appended,
): Promise<number> {
  const { store, kinds, clock, logTime } = deps;
  const expires = Math.floor(clock.now() / 1000) + eventsKept;
  const first = firstTime(event);
  const history = definitionOf(kinds, kind).hasHistory && historyKey(kind, id, event.sequence);
  const entry = { ...packedEvent(kinds, kind, event), ...history, expires };
  const atFirst = { ...firstPlace(kind, id, event), ...(untold && { untold }) };
  const writes = (at: number): Write[] => [
    { put: at === first ? { ...atFirst, ...entry } : { ...atFirst, at, expires }, if: absent },
    ...(at === first ? [] : [{ put: { ...placeAt(at, kind, id, event), ...entry } }]),
  ];
  const { longestTry: within } = logTime;
  // Read last, because readers assume that the write ends soon after this time.
  const at = isInTime(logTime, first, earlier) ? first : laterTime(logTime, earlier);
  try {
    await store.transact(writes(at), within === undefined ? {} : { within });
    return at;
  } catch (error) {
    const known = error instanceof TransactionRefused ? error.reasons[0]?.item : undefined;
    if (!known) throw error;
    return timeIn(known);
  }
}

const isInTime = (logTime: Deps["logTime"], first: number, earlier: number | undefined): boolean =>
  earlier !== undefined && earlier < first && logTime.isOpen(first);

/** The present time, or a later one if the object's previous event has a later time from a fast clock. */
const laterTime = ({ next, apart }: Deps["logTime"], earlier: number | undefined): number =>
  earlier === undefined ? next() + apart : Math.max(next(), earlier + 1);

/** The time of an event's entry, from the item at the event's first place. */
export const timeIn = ({ sk, at }: Item): number => (at === undefined ? timeOf(sk) : Number(at));

type Placed = Pick<Event, "tenant" | "sequence" | "time">;

/** The key of an event's first place. */
export const firstPlace = (kind: Kind, id: string, event: Placed): Key =>
  placeAt(firstTime(event), kind, id, event);

const placeAt = (time: number, kind: Kind, id: string, { tenant, sequence }: Placed): Key =>
  logKey(tenant, id, ofEntry(time, `${kind}#${id}#${sequence}`));

/** Microseconds distinguish events of one object in the same millisecond. */
const firstTime = ({ time, sequence }: Placed): number =>
  1000 * Date.parse(time) + (sequence % 1000);
