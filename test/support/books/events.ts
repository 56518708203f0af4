import { hours } from "../../../core/clock.ts";
import { logCountKey, loggedKey, logKey } from "../../../core/kernel/object/keys.ts";
import { definitionOf, namesOf } from "../../../core/kernel/object/kind.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import type { Books, Check } from "./check.ts";
import { placeOf, shown } from "./table.ts";

/** How long the marks of events are kept. */
const kept = hours(7 * 24);

/** Every event of every object, of the deleted too, has been told once, and the logs have no gaps. */
export const events: Check = {
  of: ["log", "logcount", "logged"],
  wrong: (books) => [
    ...namesOf(books.kinds).flatMap((kind) => untold(books, kind)),
    ...gapsInLogs(books),
  ],
};

function untold({ table, kinds, now }: Books, kind: Kind): string[] {
  if (definitionOf(kinds, kind).events.length === 0) return [];
  const objects: ObjectOf[Kind][] = [...table.objects(kind), ...table.archived(kind)];
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

function gapsInLogs({ table }: Books): string[] {
  const positions = new Map<string, number[]>();
  for (const item of table.items("log")) {
    const tenant = placeOf(item);
    positions.set(tenant, [...(positions.get(tenant) ?? []), Number(item.position)]);
  }
  const marks = table.items("logged").length;
  const entries = table.items("log").length;
  const wrong = marks === entries ? [] : [`${entries} events are in the logs, and ${marks} marked`];
  for (const count of table.items("logcount")) {
    const tenant = placeOf(count);
    const [first = 0, last = 0] = [positions.get(tenant)?.[0], positions.get(tenant)?.at(-1)];
    if (last !== 0 && last !== Number(count.last))
      wrong.push(`${shown(logCountKey(tenant))} is at ${Number(count.last)}, the log at ${last}`);
    for (let position = first; position < last; position++)
      if (!table.item(logKey(tenant, position)))
        wrong.push(`the log of ${tenant} lacks ${position}`);
  }
  return wrong;
}
