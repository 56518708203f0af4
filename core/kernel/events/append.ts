import type { Deps } from "../deps.ts";
import { loggedKey, logKey } from "../object/keys.ts";
import type { Kind } from "../object/object.ts";
import { absent, type Item, type Key, TransactionRefused } from "../store/store.ts";
import type { Event } from "./events.ts";
import { packedEvent } from "./log-entry.ts";
import { ofEntry } from "./position.ts";

/** How long events are kept (seconds), for watchers that come back and to recognize repeated events. */
export const eventsKept = 7 * 24 * 3600;

interface Appended {
  kind: Kind;
  id: string;
  event: Event;
  /** The time of the entry of the object's event before this one, if there is one. */
  earlier: number | undefined;
  /** Whether its mark says that nobody has been told of the event yet. */
  untold?: boolean;
}

/**
 * Appends an event to the log of its tenant, unless the log has it. Answers the time of its entry. The
 * entry and the mark that the event is logged are written together, so the event is in the log once,
 * however many processes append it. No item is shared with other events. Throws Unavailable when the
 * store takes too long.
 */
export async function append(
  { store, kinds, clock, logTime }: Pick<Deps, "store" | "kinds" | "clock" | "logTime">,
  { kind, id, event, earlier, untold }: Appended,
): Promise<number> {
  const expires = Math.floor(clock.now() / 1000) + eventsKept;
  const packed = packedEvent(kinds, kind, event);
  // Taken last, because readers trust that the write ends soon after this time. The object's earlier
  // event may have been appended by a clock that is ahead.
  const at = Math.max(logTime.next(), (earlier ?? 0) + 1);
  const mark = { ...loggedKey(kind, id, event.sequence), at, expires, ...(untold && { untold }) };
  const key = logKey(event.tenant, id, positionOf(at, kind, id, event.sequence));
  const entry = { ...key, ...packed, expires };
  const { longestTry: within } = logTime;
  try {
    await store.transact(
      [{ put: mark, if: absent }, { put: entry }],
      within === undefined ? {} : { within },
    );
    return at;
  } catch (error) {
    const logged = error instanceof TransactionRefused ? error.reasons[0]?.item : undefined;
    if (!logged) throw error;
    return timeIn(logged);
  }
}

/** The time of the entry that a mark is about. */
export const timeIn = ({ at }: Item): number => Number(at);

/** The key of the entry that a mark of an object is about. */
export const entryKey = (tenant: string, kind: Kind, id: string, mark: Item): Key =>
  logKey(tenant, id, positionOf(timeIn(mark), kind, id, Number(mark.sk)));

const positionOf = (time: number, kind: Kind, id: string, sequence: number): string =>
  ofEntry(time, `${kind}#${id}#${sequence}`);
