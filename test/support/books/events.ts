import { seconds } from "../../../core/clock.ts";
import { entryKey, eventsKept, timeIn } from "../../../core/kernel/events/append.ts";
import { loggedKey } from "../../../core/kernel/object/keys.ts";
import { definitionOf, namesOf } from "../../../core/kernel/object/kind.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import type { Item } from "../../../core/kernel/store/store.ts";
import type { Books, Check } from "./check.ts";
import { placeOf, shown } from "./table.ts";

/** How long the marks of events are kept. */
const kept = seconds(eventsKept);

/**
 * Every event of every object, of the deleted too, has been told, and is in the log once, behind the
 * object's events before it.
 */
export const events: Check = {
  of: ["log", "logged", "former"],
  wrong: (books) => [
    ...namesOf(books.kinds).flatMap((kind) => untold(books, kind)),
    ...wrongInLogs(books),
  ],
};

function untold({ table, kinds, now }: Books, kind: Kind): string[] {
  if (definitionOf(kinds, kind).events.length === 0) return [];
  const objects: ObjectOf[Kind][] = [
    ...table.objects(kind),
    ...table.archived(kind),
    ...table.former(kind),
  ];
  return objects.flatMap(({ id, event, metadata }) => {
    if (Date.parse(event.time) < now - kept) return [];
    // Of an object that lives for long only the latest marks are left.
    const isYoung = Date.parse(metadata.creation_timestamp) >= now - kept;
    const sequences = isYoung
      ? Array.from({ length: event.sequence }, (_, n) => n + 1)
      : [event.sequence];
    return sequences
      .filter((sequence) => !table.item(loggedKey(kind, id, sequence)))
      .map((sequence) => `event ${sequence} of ${kind} ${id} was not told`);
  });
}

function wrongInLogs({ table }: Books): string[] {
  const wrong: string[] = [];
  // Positions are unique over all logs.
  const entries = new Map(table.items("log").map((entry) => [entry.sk, entry]));
  let before: Item | undefined;
  for (const mark of table.items("logged")) {
    const [kind = "", id = ""] = placeOf(mark).split("#");
    // Whose log it is in only the object knows, which may be gone.
    const { pk, sk } = entryKey("", kind as Kind, id, mark);
    const entry = entries.get(sk);
    entries.delete(sk);
    if (!entry?.pk.endsWith(pk.slice("log#".length))) wrong.push(`${shown(mark)} has no entry`);
    if (before?.pk === mark.pk && timeIn(before) >= timeIn(mark))
      wrong.push(`${shown(mark)} is in the log before the event before it`);
    before = mark;
  }
  return [...wrong, ...[...entries.values()].map((entry) => `${shown(entry)} has no mark`)];
}
