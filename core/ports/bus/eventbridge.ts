import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
  type PutEventsResultEntry,
} from "@aws-sdk/client-eventbridge";
import { type Clock, sleep } from "../../clock.ts";
import { AppError } from "../../error.ts";
import { type Bus, type Event, NotAccepted, withIdAlone } from "../../kernel/events/events.ts";
import type { Message, Reports } from "../hub/news.ts";
import { hubSource, reportType } from "./hub-source.ts";

/** The limits of one PutEvents call: entries, and their total bytes. */
const mostEntries = 10;
const mostBytes = 256 * 1024;
/** Attempts for an event; after them the stream delivers its record again. */
const tries = 5;
const firstPause = 50;

export interface EventBridgeOptions {
  client: EventBridgeClient;
  /** Name or ARN of the bus. */
  bus: string;
  /** Times the pauses between attempts. */
  wall: Clock;
  /** Jitter of the pauses, 0 ≤ n < 1. */
  random: () => number;
}

/**
 * The bus for integrators. An entry has the event as its detail, and the event's type and source as its own.
 * The entry of an object that is too large carries only the object's id; consumers read the object by the
 * subject.
 */
export function eventBridge(options: EventBridgeOptions): Bus {
  return {
    async publish(events) {
      const entries = new Map(events.map((event) => [entryOf(event, options.bus), event]));
      const { left, ...why } = await putAll(options, [...entries.keys()]);
      const refused = left.flatMap((entry) => entries.get(entry) ?? []);
      if (refused.length > 0) throw new NotAccepted(refused, why);
    },
  };
}

/**
 * The bus for hub reports that arrive through the API. The source names the hub, as in entries that hub
 * agents put themselves. Throws Invalid when the report of one object exceeds an entry.
 */
export function hubReports(options: EventBridgeOptions): Reports {
  const { bus } = options;
  return {
    async take({ hub, ...message }) {
      const from = { EventBusName: bus, Source: hubSource(hub) };
      const { left, ...why } = await putAll(options, reportEntries(from, message));
      if (left.length > 0) throw new AppError("Unavailable", "the bus does not take reports", why);
    },
  };
}

/** The entries that EventBridge did not accept, and the reason for the first. */
interface Refused {
  left: PutEventsRequestEntry[];
  detail?: string;
  cause?: unknown;
}

/** Puts all entries, and retries those that were not accepted. */
async function putAll(
  options: EventBridgeOptions,
  entries: PutEventsRequestEntry[],
): Promise<Refused> {
  let refused: Refused = { left: [] };
  const all = batches(entries);
  for (const [n, batch] of all.entries()) {
    try {
      const { left, ...why } = await putBatch(options, batch);
      refused = { ...why, ...refused, left: [...refused.left, ...left] };
    } catch (cause) {
      // The SDK has already retried this call.
      const left = [...refused.left, ...all.slice(n).flat()];
      return { detail: cause instanceof Error ? cause.message : String(cause), cause, left };
    }
  }
  return refused;
}

/** Answers the entries that are still not accepted after all attempts. */
async function putBatch(
  { client, wall, random }: EventBridgeOptions,
  batch: PutEventsRequestEntry[],
): Promise<Refused> {
  let left = batch;
  for (let tried = 1; ; tried++) {
    const { FailedEntryCount, Entries = [] } = await client.send(
      new PutEventsCommand({ Entries: left }),
    );
    if (!FailedEntryCount) return { left: [] };
    // The answer's entries are in the order of the request's.
    left = left.filter((_, n) => Entries[n]?.EventId === undefined);
    if (tried === tries)
      return { left, detail: reasonOf(Entries.find(({ EventId }) => EventId === undefined)) };
    await sleep(wall, random() * firstPause * 2 ** tried);
  }
}

const reasonOf = ({ ErrorCode, ErrorMessage }: PutEventsResultEntry = {}): string =>
  [ErrorCode, ErrorMessage].filter((part) => part !== undefined).join(": ");

/** Splits a report into as many entries as it needs, in order. */
function reportEntries(
  from: { EventBusName: string; Source: string },
  message: Message,
): PutEventsRequestEntry[] {
  const entry = { ...from, DetailType: reportType, Detail: JSON.stringify(message) };
  if (sizeOf(entry) <= mostBytes) return [entry];
  const { news } = message;
  if (news.length === 1) throw new AppError("Invalid", "a report is too large");
  const half = Math.ceil(news.length / 2);
  return [
    ...reportEntries(from, { ...message, news: news.slice(0, half) }),
    ...reportEntries(from, { heartbeat: false, news: news.slice(half) }),
  ];
}

function entryOf(event: Event, bus: string): PutEventsRequestEntry {
  const entry = {
    EventBusName: bus,
    Source: event.source,
    DetailType: event.type,
    Time: new Date(event.time),
    Detail: JSON.stringify(event),
  };
  if (sizeOf(entry) <= mostBytes) return entry;
  return { ...entry, Detail: JSON.stringify(withIdAlone(event)) };
}

/** The bytes that EventBridge counts for an entry; it counts 14 for a time. */
function sizeOf({ Source = "", DetailType = "", Detail = "" }: PutEventsRequestEntry): number {
  return 14 + Buffer.byteLength(Source + DetailType + Detail);
}

function batches(entries: PutEventsRequestEntry[]): PutEventsRequestEntry[][] {
  const found: PutEventsRequestEntry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const batch = found.at(-1);
    bytes += sizeOf(entry);
    if (batch && batch.length < mostEntries && bytes <= mostBytes) {
      batch.push(entry);
    } else {
      found.push([entry]);
      bytes = sizeOf(entry);
    }
  }
  return found;
}
