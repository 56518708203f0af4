import { minutes, timestamp } from "../../clock.ts";
import { eventType, type Turn } from "../object/event-type.ts";
import { definitionOf, type Kinds } from "../object/kind.ts";
import type { Kind, Outbox } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { changedPaths } from "./shown.ts";

/**
 * How old the last event is when progress is told alone. Each event costs a write of the log, a run of the
 * relay and a message, and an order that waits says every few seconds in other words what it waits for.
 * So progress goes with the next change that is told at once.
 */
const progressEvery = minutes(2);

/** The event of a new object. Of an id that was used before, the count goes on. */
export const createdEvent = (kind: Kind, time: string, sequence = 1): Outbox => ({
  type: eventType(kind, "created"),
  sequence,
  time,
  changed: [],
});

/**
 * The object with the event of this write in it: what changed of what its tenant sees, since it was
 * last told. When nothing did, or nothing that is told at once, the event stays, with what it keeps
 * back. `before` is undefined for a new object.
 */
export function withEvent<O extends ObjectOf[Kind]>(
  kinds: Kinds,
  before: O | undefined,
  after: O,
  now: number,
): O {
  const { kind } = after;
  const time = timestamp(now);
  if (!before) return { ...after, event: createdEvent(kind, time) };
  const paths = changedPaths(kinds, before, after);
  if (paths.length === 0) return { ...after, event: before.event };
  const changed = [...new Set([...(before.event.kept_back ?? []), ...paths])];
  const change = changeOf(kinds, before, after);
  const mayWait = change === "updated" && now - Date.parse(before.event.time) < progressEvery;
  if (mayWait && definitionOf(kinds, kind).isProgress?.(before, after, paths))
    return { ...after, event: { ...before.event, kept_back: changed } };
  const type = eventType(kind, change);
  return { ...after, event: { type, sequence: before.event.sequence + 1, time, changed } };
}

/** The object with the event of its end, for the write that archives it. */
export function withLastEvent<O extends ObjectOf[Kind]>(object: O, now: number): O {
  const type = eventType(object.kind, "deleted");
  return {
    ...object,
    event: { type, sequence: object.event.sequence + 1, time: timestamp(now), changed: [] },
  };
}

function changeOf(
  kinds: Kinds,
  before: ObjectOf[Kind],
  after: ObjectOf[Kind],
): "updated" | "deleting" | Turn {
  if (!before.metadata.deletion_timestamp && after.metadata.deletion_timestamp) return "deleting";
  return definitionOf(kinds, after.kind).turn?.(before, after) ?? "updated";
}
