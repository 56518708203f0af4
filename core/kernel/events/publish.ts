import { minutes, seconds, timestamp } from "../../clock.ts";
import type { Deps } from "../deps.ts";
import { definitionOf } from "../object/kind.ts";
import { type Kind, type Outbox, pluralOf } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { type Rendering, render } from "../object/view.ts";
import { exists, type Item, type Key } from "../store/store.ts";
import { recordsKept } from "../store/stream.ts";
import { append, eventsKept, firstPlace, timeIn } from "./append.ts";
import type { Bus, Event } from "./events.ts";

/**
 * The dependencies of publication besides `Deps`: how each kind is shown, and whom to notify of a tenant's new entries.
 */
export interface Publishing extends Deps, Rendering {
  bus: Bus;
  /**
   * Called after each new entry of a tenant's log, with the entry's time, for example to continue the
   * tenant's webhooks. Idempotent.
   */
  onLogged(deps: Deps, tenant: string, time: number): Promise<void>;
  /** Whether the stream may still deliver a write of this age (ms) to the relay. */
  mayBring(age: number): boolean;
}

/**
 * For a stream that drops records after repeated failures of its reader; includes time for the last attempt.
 */
export const keptBriefly: Publishing["mayBring"] = (age) =>
  age <= seconds(recordsKept) + minutes(5);

const hasEvents = ({ kinds }: Rendering, kind: Kind): boolean =>
  definitionOf(kinds, kind).events.length > 0;

/** The event that an object carries, in the form that its tenant sees. */
function eventOf(rendering: Rendering, object: ObjectOf[keyof ObjectOf]): Event {
  const { kind, id, event, metadata } = object;
  return {
    specversion: "1.0",
    // Ids of objects are unique only within a kind.
    id: `${kind}.${id}.${event.sequence}`,
    source: "slipway",
    type: event.type,
    subject: `${pluralOf(kind)}/${id}`,
    time: event.time,
    tenant: metadata.tenant,
    sequence: event.sequence,
    datacontenttype: "application/json",
    data: {
      object: render(rendering, object, { profile: "slipway", private: false }),
      changed: event.changed,
      ...(event.by && { actor: event.by }),
    },
  };
}

/**
 * Publishes an object's last event: into its tenant's log once, after the object's earlier events, and onto the bus at
 * least once. Safe to repeat. `earlier`: the time of the entry of the event before it, if the caller knows that.
 */
export async function publish(
  deps: Publishing,
  object: ObjectOf[keyof ObjectOf],
  earlier?: number,
): Promise<number | undefined> {
  const { kind, id } = object;
  if (!hasEvents(deps, kind)) return undefined;
  const event = eventOf(deps, object);
  const time = await append(deps, { kind, id, event, earlier: earlier ?? beforeFirst(event) });
  await tell(deps, event, time);
  return time;
}

/** Notifies webhooks and the bus of an event that is in the log. */
async function tell(deps: Publishing, event: Event, time: number): Promise<void> {
  await deps.onLogged(deps, event.tenant, time);
  await deps.bus.publish([event]);
}

/**
 * Publishes the event of an object's previous state if the stream has lost it. An event older than the log's
 * retention is skipped, because nobody can tell whether it was published. Only this function repeats such an
 * event, so the event stays marked until webhooks and the bus have it. Answers the time of the event's entry,
 * if any.
 */
export async function publishMissed(
  deps: Publishing,
  object: ObjectOf[keyof ObjectOf],
): Promise<number | undefined> {
  const place = await placeOf(deps, object);
  return place && tellMissed(deps, object, place);
}

/**
 * Like publishMissed, for callers that may be ahead of the stream. While the stream may still deliver the previous
 * event, this event is left to the stream, so that the log keeps an object's events in order. Answers whether the event
 * is published.
 */
export async function publishOverdue(
  deps: Publishing,
  object: ObjectOf[keyof ObjectOf],
): Promise<boolean> {
  // Read before the log, so that events that the relay handles in between are found in the log.
  const isComing = mayCome(deps, object);
  const place = await placeOf(deps, object);
  if (!place) return true;
  if (!place.known && isComing && !(await itemBefore(deps, object))) return false;
  await tellMissed(deps, object, place);
  return true;
}

/** The first place of an event, and the item there. */
interface Place {
  key: Key;
  known: Item | undefined;
}

/** The place of an object's last event; undefined if its kind has no events, or the log no longer has it. */
async function placeOf(
  deps: Publishing,
  { kind, id, event, metadata }: ObjectOf[keyof ObjectOf],
): Promise<Place | undefined> {
  if (!hasEvents(deps, kind) || isForgotten(deps, event.time)) return undefined;
  const key = firstPlace(kind, id, { ...event, tenant: metadata.tenant });
  return { key, known: await deps.store.get(key) };
}

/** The item at the first place of the event before an object's last event. */
async function itemBefore(
  { store }: Publishing,
  { kind, id, event, metadata }: ObjectOf[keyof ObjectOf],
): Promise<Item | undefined> {
  const time = timeBefore(event);
  const before = { tenant: metadata.tenant, sequence: event.sequence - 1 };
  return time === undefined ? undefined : store.get(firstPlace(kind, id, { ...before, time }));
}

/** The time of the event before an object's last event, if the object has it. */
const timeBefore = ({ time, after }: Outbox): string | undefined =>
  after === undefined ? undefined : timestamp(Date.parse(time) - after);

/** Whether the stream may still deliver an object's last event, and the one before it. */
function mayCome({ clock, mayBring }: Publishing, { event }: ObjectOf[keyof ObjectOf]): boolean {
  const before = timeBefore(event);
  if (before === undefined || isForgotten({ clock }, before)) return false;
  return mayBring(clock.now() - Date.parse(event.time));
}

/** Whether an event of this time is older than the log's retention. */
const isForgotten = ({ clock }: Pick<Deps, "clock">, time: string): boolean =>
  clock.now() - Date.parse(time) > seconds(eventsKept);

async function tellMissed(
  deps: Publishing,
  object: ObjectOf[keyof ObjectOf],
  { key, known }: Place,
): Promise<number> {
  if (known && known.untold !== true) return timeIn(known);
  const missed = eventOf(deps, object);
  const time = known ? timeIn(known) : await appendMissed(deps, object, missed);
  await tell(deps, missed, time);
  await deps.store.transact([{ update: key, remove: ["untold"], if: exists }]);
  return time;
}

async function appendMissed(
  deps: Publishing,
  object: ObjectOf[keyof ObjectOf],
  event: Event,
): Promise<number> {
  const { kind, id } = object;
  deps.log.warn({ kind, id, sequence: event.sequence }, "an event was lost by the stream");
  const before = await itemBefore(deps, object);
  const earlier = before ? timeIn(before) : beforeFirst(event);
  return append(deps, { kind, id, event, earlier, untold: true });
}

/** The time of the entry before an event, as far as the event alone shows it: 0 for an object's first event. */
const beforeFirst = ({ sequence }: Event): number | undefined => (sequence === 1 ? 0 : undefined);
