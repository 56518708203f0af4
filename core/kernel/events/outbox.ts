import { minutes, timestamp } from "../../clock.ts";
import { eventType, type Turn } from "../object/event-type.ts";
import { definitionOf, type Kinds } from "../object/kind.ts";
import type { Kind, Outbox } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { boundedPaths } from "./changes.ts";
import { changedPaths } from "./shown.ts";

/**
 * Progress alone is published only if the last event is older than this. Each event costs a write of the log, a run of
 * the relay and a message, and the wait message of an order can change every few seconds. So progress usually waits for
 * the next event of another change.
 */
const progressEvery = minutes(2);

/** The event of a new object. If its id was used before, its sequence continues. */
export const createdEvent = (kind: Kind, time: string, sequence = 1): Outbox => ({
  type: eventType(kind, "created"),
  sequence,
  time,
  changed: [],
});

/**
 * The object with the event of this write. The event names the changed paths that the tenant sees. Without such paths,
 * or with progress only, the object keeps its last event, and the changed paths wait for the next one. `before` is
 * undefined for a new object.
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
  const changed = boundedPaths([...(before.event.kept_back ?? []), ...paths]);
  const change = changeOf(kinds, before, after);
  const { isProgress, isFollowed, isQuiet } = definitionOf(kinds, kind);
  const isRecent = now - Date.parse(before.event.time) < progressEvery;
  const mayWait = change === "updated" && (isRecent || isFollowed?.(before, after) === true);
  const waits =
    (mayWait && isProgress?.(before, after, paths)) ||
    (change === "updated" && isQuiet?.(before, after, paths));
  if (waits) return { ...after, event: { ...before.event, kept_back: changed } };
  return {
    ...after,
    event: { type: eventType(kind, change), ...next(before, time), time, changed },
  };
}

/** The object with its last event, for the write that archives it. */
export function withLastEvent<O extends ObjectOf[Kind]>(object: O, now: number): O {
  const type = eventType(object.kind, "deleted");
  const time = timestamp(now);
  return { ...object, event: { type, ...next(object, time), time, changed: [] } };
}

/** The place of an object's next event. */
const next = ({ event }: ObjectOf[Kind], time: string): Pick<Outbox, "sequence" | "after"> => ({
  sequence: event.sequence + 1,
  after: Date.parse(time) - Date.parse(event.time),
});

function changeOf(
  kinds: Kinds,
  before: ObjectOf[Kind],
  after: ObjectOf[Kind],
): "updated" | "deleting" | Turn {
  if (!before.metadata.deletion_timestamp && after.metadata.deletion_timestamp) return "deleting";
  return definitionOf(kinds, after.kind).turn?.(before, after) ?? "updated";
}
