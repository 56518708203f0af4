import { seconds } from "../../../core/clock.ts";
import { eventsKept, firstPlace, timeIn } from "../../../core/kernel/events/append.ts";
import { ofEntry, timeOf } from "../../../core/kernel/events/position.ts";
import { definitionOf, namesOf } from "../../../core/kernel/object/kind.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import type { Item, Key } from "../../../core/kernel/store/store.ts";
import type { Books, Check } from "./check.ts";
import { shown } from "./table.ts";

/** How long events are kept. */
const kept = seconds(eventsKept);

/** The items of one event in its log, by what its position has beside the time. */
type Logged = ReadonlyMap<string, readonly Item[]>;

/**
 * Every event of every object, of the deleted too, has been told, and is in the log once, behind the
 * object's events before it.
 */
export const events: Check = {
  of: ["log", "former"],
  wrong: (books) => {
    const logged = Map.groupBy(books.table.items("log"), nameIn);
    return [
      ...namesOf(books.kinds).flatMap((kind) => wrongOf(books, kind, logged)),
      ...[...logged.values()].flatMap(wrongIn),
    ];
  },
};

const nameIn = ({ sk }: Key): string => sk.split(".")[1] ?? "";
const nameOf = (kind: Kind, id: string, sequence: number): string =>
  nameIn({ pk: "", sk: ofEntry(0, `${kind}#${id}#${sequence}`) });

/** What the log lacks of the events of a kind's objects, or has in another order. */
function wrongOf({ table, kinds, now }: Books, kind: Kind, logged: Logged): string[] {
  if (definitionOf(kinds, kind).events.length === 0) return [];
  const objects: ObjectOf[Kind][] = [
    ...table.objects(kind),
    ...table.archived(kind),
    ...table.former(kind),
  ];
  return objects.flatMap(({ id, event, metadata }) => {
    if (Date.parse(event.time) < now - kept) return [];
    // Of an object that lives for long only the latest events are left.
    const isYoung = Date.parse(metadata.creation_timestamp) >= now - kept;
    const sequences = Array.from({ length: event.sequence }, (_, n) => n + 1);
    const place = firstPlace(kind, id, { ...event, tenant: metadata.tenant });
    const wrong = table.item(place) ? [] : [`${shown(place)} has no event ${event.sequence}`];
    let before = "";
    for (const sequence of isYoung ? sequences : sequences.slice(-1)) {
      const entry = logged.get(nameOf(kind, id, sequence))?.find(isEntry);
      if (!entry) wrong.push(`event ${sequence} of ${kind} ${id} was not told`);
      else if (entry.sk <= before)
        wrong.push(`event ${sequence} of ${kind} ${id} is in the log before the event before it`);
      before = entry?.sk ?? before;
    }
    return wrong;
  });
}

const isEntry = ({ at }: Item): boolean => at === undefined;

/** What is wrong with the items of one event: it has one entry, and a mark at most, which leads there. */
function wrongIn(items: readonly Item[]): string[] {
  const entries = items.filter(isEntry);
  const marks = items.filter((item) => !isEntry(item));
  const [entry] = entries;
  return [
    ...entries.slice(1).map((other) => `${shown(other)} has an event that is in the log already`),
    ...marks.slice(1).map((other) => `${shown(other)} is one mark too many`),
    ...marks
      .filter((mark) => mark.pk !== entry?.pk || timeIn(mark) !== timeOf(entry.sk))
      .map((mark) => `${shown(mark)} has no entry`),
    ...items
      .filter(({ untold }) => untold !== undefined)
      .map((item) => `not everybody was told of ${shown(item)}`),
  ];
}
