import * as z from "zod";
import { minutes, seconds } from "../../core/clock.ts";
import { eventsKept } from "../../core/kernel/events/append.ts";
import { changesBetween } from "../../core/kernel/events/changes.ts";
import { type Event, eventSchema } from "../../core/kernel/events/events.ts";
import { eventIn } from "../../core/kernel/events/log-entry.ts";
import { historyKey, historyPartition } from "../../core/kernel/object/log-keys.ts";
import { type Kind, pluralOf } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { archived, load, type Records } from "../../core/kernel/object/records.ts";
import { isHeld } from "../../core/kernel/object/tenancy.ts";
import { isPlausibleId, notFound, sees } from "../../core/kernel/request/caller.ts";
import type { Area } from "../../core/kernel/request/permissions.ts";
import { cursorAt } from "../../core/kernel/store/cursor.ts";
import type { Call } from "./call.ts";
import { osacEvent } from "./event-form.ts";
import { pageSchema } from "./list/list.ts";
import { listQuery } from "./list/query.ts";
import { Room } from "./room.ts";
import { prefixes, type Route, route } from "./route.ts";
import { schemaIn } from "./schemas.ts";

const changeSchema = z.object({
  path: z.string().describe("Path of the member, such as `status.state`."),
  before: z.json().optional().describe("Its value before; absent if it did not exist."),
  after: z.json().optional().describe("Its value afterwards; absent if it no longer exists."),
});

/** An event with the changes since the previous one. The state before the oldest kept event is unknown. */
export const historyEntrySchema = eventSchema.extend({
  data: eventSchema.shape.data
    .extend({
      changes: z
        .array(changeSchema)
        .optional()
        .describe(
          "Each path that changed, with its values; absent where the event before is not kept.",
        ),
    })
    .describe("The object, and what changed in it."),
});
type HistoryEntry = z.output<typeof historyEntrySchema>;

function entryOf(event: Event, previous: Event | undefined): HistoryEntry {
  if (!previous || previous.sequence !== event.sequence - 1) return event;
  const changes = changesBetween(previous.data.object, event.data.object);
  return { ...event, data: { ...event.data, changes } };
}

/** The history of each object of a kind. */
export const historyRoute = (area: Area, kind: Kind): Route =>
  route({
    ...{ area, subject: kind, verb: "history" },
    method: "GET",
    path: `${prefixes[area]}/${pluralOf(kind)}/{id}/history`,
    summary: "Get a history",
    description:
      "The events of an object that are still kept, the oldest first: what happened, when, by whom, and what was before and after.",
    query: ["limit", "page_token"],
    response: () => pageSchema(historyEntrySchema),
    handle: (call) => historyAnswer(call, kind),
  });

/** The events of an object from the oldest kept one; also of a deleted object. */
async function historyAnswer(call: Call, kind: Kind): Promise<Response> {
  const id = call.param("id");
  if (!isPlausibleId(id)) throw notFound(id);
  const object = (await load(call.deps, kind, id)) ?? (await deletedObject(call, kind, id));
  if (!object || !sees(call.deps.kinds, call.caller, object)) throw notFound(id);

  const { limit, token } = listQuery(call, () => schemaIn(call.area, kind));
  const { events, next } = await eventsOf(call, object, limit, token);
  return call.c.json({
    size: events.length,
    // Sequences have no gaps, so the last one is the count.
    total: object.event.sequence,
    items: events,
    ...(next === undefined ? {} : { next_page_token: next }),
  });
}

type Told = ObjectOf[Kind];

/**
 * A deleted object; undefined if its tenant is deleted too, because a new tenant of that name must not see it.
 */
async function deletedObject(
  { deps, caller }: Call,
  kind: Kind,
  id: string,
): Promise<Told | undefined> {
  const object = await archived(deps, kind, id);
  if (!object || caller.everywhere) return object;
  const { tenant, creation_timestamp } = object.metadata;
  return (await isHeld(deps, tenant, creation_timestamp)) ? object : undefined;
}

/** Events per read: few enough for memory, whatever their size. */
const batch = 50;

async function eventsOf(call: Call, object: Told, limit: number, token: string | undefined) {
  const room = new Room();
  const events: object[] = [];
  let cursor = token;
  let previous: Event | undefined;
  while (events.length < limit) {
    const page = await call.deps.store.query({
      ...{ pk: historyPartition(object.kind, object.id), index: "g3" },
      limit: Math.min(batch, limit - events.length),
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const entry of page.items) {
      const event = eventIn(call.deps.kinds, entry);
      if (event && !previous) previous = await eventAt(call.deps, object, event.sequence - 1);
      if (event && isAhead(call, object, event, previous)) return { events, next: undefined };
      const form =
        event && (call.profile === "osac" ? osacEvent(event, "osac") : entryOf(event, previous));
      previous = event ?? previous;
      if (form && !room.take(JSON.stringify(form))) return { events, next: cursor };
      if (form) events.push(form);
      cursor = cursorAt(entry, "g3");
    }
    if (page.cursor === undefined) return { events, next: undefined };
    cursor = page.cursor;
  }
  return { events, next: limit === 0 ? undefined : cursor };
}

/** How far the index of the history may be behind the log. */
const indexLag = minutes(1);

/**
 * Whether an event before this one may still be missing in the index. The page ends there, so that the next page
 * has both.
 */
function isAhead({ deps }: Call, object: Told, event: Event, previous: Event | undefined) {
  const now = deps.clock.now();
  if (now - Date.parse(event.time) > indexLag) return false;
  const isWhole = now - Date.parse(object.metadata.creation_timestamp) < seconds(eventsKept);
  const last = previous?.sequence ?? (isWhole ? 0 : undefined);
  return last !== undefined && event.sequence > last + 1;
}

/** The event of an object with this sequence; undefined once it has expired. */
async function eventAt(
  { store, kinds }: Records,
  { kind, id }: Told,
  sequence: number,
): Promise<Event | undefined> {
  if (sequence < 1) return undefined;
  const { g3pk: pk, g3sk: at } = historyKey(kind, id, sequence);
  const { items } = await store.query({ pk, index: "g3", range: { from: at, to: at } });
  return eventIn(kinds, items[0]);
}
