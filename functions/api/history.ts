import * as z from "zod";
import { minutes, seconds } from "../../core/clock.ts";
import { eventsKept } from "../../core/kernel/events/append.ts";
import { changesBetween } from "../../core/kernel/events/changes.ts";
import { type Event, eventSchema } from "../../core/kernel/events/events.ts";
import { eventIn } from "../../core/kernel/events/log-entry.ts";
import { archiveKey } from "../../core/kernel/object/keys.ts";
import { historyKey, historyPartition } from "../../core/kernel/object/log-keys.ts";
import { load, objectIn, type Records } from "../../core/kernel/object/records.ts";
import { isHeld } from "../../core/kernel/object/tenancy.ts";
import { isPlausibleId, notFound, sees } from "../../core/kernel/request/caller.ts";
import { cursorAt } from "../../core/kernel/store/cursor.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import { clusterSchema } from "../../core/resources/cluster/wire.ts";
import type { Call } from "./call.ts";
import { osacEvent } from "./event-form.ts";
import { listQuery } from "./list/query.ts";
import { Room } from "./room.ts";

const changeSchema = z.object({
  path: z.string().describe("Path of the member, such as `status.state`."),
  before: z.json().optional().describe("Its value before; absent if it did not exist."),
  after: z.json().optional().describe("Its value afterwards; absent if it no longer exists."),
});

/**
 * An event with the changes that it tells. The state before the oldest event that is still kept is
 * unknown.
 */
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

/** The events of a cluster from the oldest that is still kept; also of a cluster that is gone. */
export async function historyAnswer(call: Call): Promise<Response> {
  const id = call.param("id");
  if (!isPlausibleId(id)) throw notFound(id);
  const cluster = (await load(call.deps, "cluster", id)) ?? (await deletedCluster(call, id));
  if (!cluster || !sees(call.deps.kinds, call.caller, cluster)) throw notFound(id);

  const { limit, token } = listQuery(call, () => clusterSchema);
  const { events, next } = await eventsOf(call, cluster, limit, token);
  return call.c.json({
    size: events.length,
    // Sequences have no gaps, so the last one is the count.
    total: cluster.event.sequence,
    items: events,
    ...(next === undefined ? {} : { next_page_token: next }),
  });
}

/**
 * A cluster that is gone, unless its tenant is gone too: a new tenant of that name has no part in
 * it.
 */
async function deletedCluster({ deps, caller }: Call, id: string): Promise<Cluster | undefined> {
  const item = await deps.store.get(archiveKey("cluster", id));
  const cluster = item && objectIn<"cluster">(deps.kinds, item);
  if (!cluster || caller.everywhere) return cluster;
  const { tenant, creation_timestamp } = cluster.metadata;
  return (await isHeld(deps, tenant, creation_timestamp)) ? cluster : undefined;
}

/** How many events are read at a time: few enough to fit into memory, whatever their size. */
const batch = 50;

async function eventsOf(call: Call, cluster: Cluster, limit: number, token: string | undefined) {
  const room = new Room();
  const events: object[] = [];
  let cursor = token;
  let previous: Event | undefined;
  while (events.length < limit) {
    const page = await call.deps.store.query({
      ...{ pk: historyPartition("cluster", cluster.id), index: "g3" },
      limit: Math.min(batch, limit - events.length),
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const entry of page.items) {
      const event = eventIn(call.deps.kinds, entry);
      if (event && !previous) previous = await eventAt(call.deps, cluster, event.sequence - 1);
      if (event && isAhead(call, cluster, event, previous)) return { events, next: undefined };
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

/** How far the index may be behind that a history is read from. */
const indexLag = minutes(1);

/**
 * Whether the index may have an event sooner than the one before it. A page ends there, so that the next
 * one has both.
 */
function isAhead({ deps }: Call, cluster: Cluster, event: Event, previous: Event | undefined) {
  const now = deps.clock.now();
  if (now - Date.parse(event.time) > indexLag) return false;
  const isWhole = now - Date.parse(cluster.metadata.creation_timestamp) < seconds(eventsKept);
  const last = previous?.sequence ?? (isWhole ? 0 : undefined);
  return last !== undefined && event.sequence > last + 1;
}

/** The event of a cluster with this sequence, as long as it is kept. */
async function eventAt(
  { store, kinds }: Records,
  cluster: Cluster,
  sequence: number,
): Promise<Event | undefined> {
  if (sequence < 1) return undefined;
  const { g3pk: pk, g3sk: at } = historyKey("cluster", cluster.id, sequence);
  const { items } = await store.query({ pk, index: "g3", range: { from: at, to: at } });
  return eventIn(kinds, items[0]);
}
