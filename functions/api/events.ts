import * as z from "zod";
import { sleep, timestamp } from "../../core/clock.ts";
import { isKind as isErrorOf } from "../../core/error.ts";
import type { Deps } from "../../core/kernel/deps.ts";
import { type Event, eventSchema } from "../../core/kernel/events/events.ts";
import { readLogs } from "../../core/kernel/events/log.ts";
import { atTime, positionPattern } from "../../core/kernel/events/position.ts";
import { claimWatchSlot } from "../../core/kernel/events/watch-slots.ts";
import { isName, sharedTenant } from "../../core/kernel/object/metadata.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import { metadataSchema } from "../../core/kernel/object/wire.ts";
import { type Caller, sees } from "../../core/kernel/request/caller.ts";
import type { Area } from "../../core/kernel/request/permissions.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import type { Call } from "./call.ts";
import { eventKindOf, osacEvent, osacEventTypes, watchEventSchema } from "./event-form.ts";
import { compiled } from "./list/compiled.ts";
import { badParameter } from "./parameters.ts";
import { problemOf } from "./problem.ts";
import { Room } from "./room.ts";
import { type Route, route } from "./route.ts";

/**
 * A watch that loses no event. It reads the event log from the client's position and answers the first new events,
 * or nothing after 25 s (the HTTP API on AWS ends at 30 s) and sooner where many clients wait. The client continues
 * with the id of the last event.
 */

/** Milliseconds between two reads of the log, which grow. */
const pauses = [100, 200, 400, 800, 1000];
const batch = 100;

export const eventRoutes: Route<Deps>[] = [
  watch("public", "/api/events/v1/events"),
  watch("private", "/api/private/v1/events/watch"),
];

function watch(area: Area, path: string): Route<Deps> {
  return route({
    area,
    subject: "event",
    verb: "watch",
    method: "GET",
    path,
    summary: "Watch events",
    description:
      "Waits until something happens, at most 25 seconds, and answers with it; come back with the `Last-Event-ID` of the answer. Too many that wait at a time are refused with `Retry-After`: 429 for a user or a tenant, 503 for everybody. With `Accept: text/event-stream` the answer is server-sent events, each with a CloudEvent as its data: read it as a stream. Otherwise it is a line of JSON for each event, as OSAC has them; an answer without events is empty.",
    query: ["filter", "tenant", "last_event_id"],
    headers: ["Last-Event-ID"],
    response: () =>
      z.object({
        result: z
          .object({ event: watchEventSchema.describe("What happened.") })
          .describe("As OSAC's stream wraps it."),
      }),
    mediaType: "text/event-stream",
    itemSchema: () => eventSchema,
    handle: wrappingRefusals(watchAnswer),
  });
}

/** OSAC's stream wraps errors in `error`; server-sent events have no form for errors. */
function wrappingRefusals(handle: Route<Deps>["handle"]): Route<Deps>["handle"] {
  return async (call) => {
    try {
      return await handle(call);
    } catch (thrown) {
      if (isStreamAsked(call) || !isErrorOf(thrown, "Invalid")) throw thrown;
      const place = { instance: call.c.req.path, requestId: call.c.get("requestId") };
      const problem = problemOf(thrown, place);
      const { code, message } = problem;
      return call.c.json({ ...problem, error: { code, message } }, 400, {
        "Content-Type": "application/problem+json",
      });
    }
  };
}

const isStreamAsked = ({ c }: Call<Deps>): boolean =>
  c.req.header("Accept")?.includes("text/event-stream") ?? false;

async function watchAnswer(call: Call<Deps>): Promise<Response> {
  const { wall } = call.deps;
  const begun = wall.now();
  const look = await looking(call);
  let seen = await look();
  if (seen.events.length > 0) return answer(call, seen);
  const slot = await claimWatchSlot(call.deps, call.caller);
  try {
    const end = begun + slot.patience;
    for (let n = 0; ; n++) {
      const wait = Math.min(pauses[n] ?? 1000, end - wall.now());
      if (wait <= 0 || call.c.req.raw.signal.aborted) break;
      await sleep(wall, wait);
      seen = await look();
      if (seen.events.length > 0) break;
    }
  } finally {
    await slot.release();
  }
  return answer(call, seen);
}

interface Seen {
  events: Found[];
  /** The client's position after these events, the same in its tenant's log and in that of shared objects. */
  position: string;
}

/** Reads the log: each call answers the events since the previous call. */
async function looking(call: Call<Deps>): Promise<() => Promise<Seen>> {
  const logs = [...new Set([tenantOf(call), sharedTenant])];
  const matches = await filterOf(call);
  const shows = showing(call);
  let position = startOf(call);
  return async () => {
    const found = await newest(call, logs, position);
    position = found.position;
    const shown = await Promise.all(found.events.map(({ event }) => shows(event)));
    const events = found.events.filter(({ event }, n) => shown[n] && matches(event));
    return { events, position };
  };
}

function tenantOf(call: Call<Deps>): string {
  const wanted = call.query("tenant");
  if (wanted === undefined || wanted === call.caller.tenant) return call.caller.tenant;
  if (!call.caller.everywhere) throw badParameter("tenant", "can only be your own");
  if (!isName(wanted)) throw badParameter("tenant", "is not the name of a tenant");
  return wanted;
}

/** The position after the last event that the client has, or at the end of the log's settled part. */
function startOf(call: Call<Deps>): string {
  const given = call.c.req.header("Last-Event-ID") ?? call.query("last_event_id");
  if (given === undefined) return atTime(call.deps.logTime.settled());
  if (!positionPattern.test(given))
    throw badParameter("Last-Event-ID", "is not the id of an event");
  return given;
}

interface Found {
  /** The client's position after this event. */
  id: string;
  event: Event;
}

async function newest({ deps, caller }: Call<Deps>, logs: string[], after: string): Promise<Seen> {
  const entries = await readLogs(deps, logs, { after, limit: batch, isWhole: caller.everywhere });
  const events = entries.flatMap(({ position: id, event }) => (event ? [{ id, event }] : []));
  return { events, position: entries.at(-1)?.position ?? after };
}

/**
 * Selects the events that the caller may see, by the table that governs a GET. The log of the
 * shared tenant also has events of objects that only the provider's administrators see.
 */
function showing({ rights, area }: Call<Deps>): (event: Event) => Promise<boolean> {
  const readers = new Map<Kind, Promise<Caller | undefined>>();
  const readerOf = (kind: Kind): Promise<Caller | undefined> => {
    const known =
      readers.get(kind) ?? ifAllowed(rights.callerFor({ area, subject: kind, verb: "get" }));
    readers.set(kind, known);
    return known;
  };
  return async (event) => {
    const kind = eventKindOf(event);
    const reader = kind && (await readerOf(kind));
    if (!reader) return false;
    const { name, project } = metadataSchema.parse(event.data.object.metadata);
    const metadata = { tenant: event.tenant, name, ...(project === undefined ? {} : { project }) };
    return sees(kinds, reader, { kind, metadata });
  };
}

const ifAllowed = (admission: Promise<Caller>): Promise<Caller | undefined> =>
  admission.catch((thrown: unknown) => {
    if (isErrorOf(thrown, "Forbidden")) return undefined;
    throw thrown;
  });

async function filterOf(call: Call<Deps>): Promise<(event: Event) => boolean> {
  const text = call.query("filter")?.trim() ?? "";
  if (text === "") return () => true;
  const constants = Object.fromEntries(osacEventTypes.map((name) => [name, name]));
  const filter = await compiled(text, { roots: { event: watchEventSchema.unwrap() }, constants });
  const now = timestamp(call.deps.clock.now());
  return (event) => {
    const form = osacEvent(event, call.profile);
    return form !== undefined && filter.matches({ event: form, now });
  };
}

function answer(call: Call<Deps>, { events, position }: Seen): Response {
  const isStream = isStreamAsked(call);
  const { lines, last } = fitting(events, isStream ? streamed : (found) => lineOf(call, found));
  const id = last ?? position;
  const headers = { "Last-Event-ID": id, "Cache-Control": "no-store" };
  if (isStream) {
    const text = `retry: 1000\n${lines.join("")}id: ${id}\n\n`;
    return call.c.body(text, 200, { ...headers, "Content-Type": "text/event-stream" });
  }
  return call.c.body(lines.join(""), 200, { ...headers, "Content-Type": "application/json" });
}

/** The events that fit into an answer; `last` is the client's position after them, unless all fit. */
function fitting(events: Found[], write: (found: Found) => string) {
  const room = new Room();
  const lines: string[] = [];
  for (const [n, found] of events.entries()) {
    const line = write(found);
    if (!room.take(line)) return { lines, last: events[n - 1]?.id };
    lines.push(line);
  }
  return { lines, last: undefined };
}

const streamed = ({ id, event }: Found): string =>
  `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function lineOf(call: Call<Deps>, { event }: Found): string {
  const form = osacEvent(event, call.profile);
  return form ? `${JSON.stringify({ result: { event: form } })}\n` : "";
}
