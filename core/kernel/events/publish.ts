import type { Deps } from "../deps.ts";
import { definitionOf } from "../object/kind.ts";
import { type Kind, pluralOf } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { type Rendering, render } from "../object/view.ts";
import { exists } from "../store/store.ts";
import { append, eventsKept, firstPlace, timeIn } from "./append.ts";
import type { Event } from "./events.ts";

/** The needs of publishing beside `Deps`: how each kind is shown, and who follows a tenant's log. */
export interface Publishing extends Deps, Rendering {
  /**
   * Called after each new entry of a tenant's log, with the entry's time, for example to continue the
   * tenant's webhooks. Idempotent.
   */
  onLogged(deps: Deps, tenant: string, time: number): Promise<void>;
}

const hasEvents = ({ kinds }: Rendering, kind: Kind): boolean =>
  definitionOf(kinds, kind).events.length > 0;

/** The event that an object carries, in the form that its tenant sees. */
function eventOf(rendering: Rendering, object: ObjectOf[keyof ObjectOf]): Event {
  const { kind, id, event, metadata } = object;
  return {
    specversion: "1.0",
    id: `${id}.${event.sequence}`,
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
 * Publishes an object's last event: into its tenant's log once, behind the object's earlier events, and
 * onto the bus at least once. Harmless when repeated. `earlier` is the time of the entry of the event
 * before it, where the caller knows that.
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

/** Tells webhooks and the bus of an event that is in the log. */
async function tell(deps: Publishing, event: Event, time: number): Promise<void> {
  await deps.onLogged(deps, event.tenant, time);
  await deps.bus.publish([event]);
}

/**
 * Publishes the event of an object's previous state if the stream record of that event was lost. An
 * event that is older than the log's memory is skipped, since nobody can tell whether it was published.
 * Nobody but this function repeats such an event, so the event stays marked until all have been told.
 * Answers the time of the event's entry, if it has one.
 */
export async function publishMissed(
  deps: Publishing,
  object: ObjectOf[keyof ObjectOf],
): Promise<number | undefined> {
  const { kind, id, event, metadata } = object;
  if (!hasEvents(deps, kind)) return undefined;
  if (deps.clock.now() - Date.parse(event.time) > eventsKept * 1000) return undefined;
  const place = firstPlace(kind, id, { ...event, tenant: metadata.tenant });
  const known = await deps.store.get(place);
  if (known && known.untold !== true) return timeIn(known);
  const missed = eventOf(deps, object);
  const time = known ? timeIn(known) : await appendMissed(deps, object, missed);
  await tell(deps, missed, time);
  await deps.store.transact([{ update: place, remove: ["untold"], if: exists }]);
  return time;
}

function appendMissed(
  deps: Publishing,
  { kind, id }: ObjectOf[keyof ObjectOf],
  event: Event,
): Promise<number> {
  deps.log.warn({ kind, id, sequence: event.sequence }, "an event was lost on its way");
  return append(deps, { kind, id, event, earlier: beforeFirst(event), untold: true });
}

/** What is known of the time of the entry before an event, from the event alone. */
const beforeFirst = ({ sequence }: Event): number | undefined => (sequence === 1 ? 0 : undefined);
