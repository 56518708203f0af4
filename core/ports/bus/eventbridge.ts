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

/** The limits of one PutEvents call: entries, and their bytes in all. */
const mostEntries = 10;
const mostBytes = 256 * 1024;
/** Tries of an event, after which its stream record comes again. */
const tries = 5;
const firstPause = 50;

export interface EventBridgeOptions {
  client: EventBridgeClient;
  /** Name or ARN of the bus. */
  bus: string;
  /** Times the pauses between tries. */
  wall: Clock;
  /** Jitter of the pauses, 0 ≤ n < 1. */
  random: () => number;
}

/**
 * The integrators' bus. An event is the detail of an entry, its type the detail type, its source
 * the source. An entry for an object that is too large carries the object's id alone; a consumer
 * reads the object by the subject.
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
 * The bus of hubs, for reports that came through the API. The source names the hub, as in entries
 * that agents put there themselves. Throws Invalid for a report of one object that no entry can
 * hold.
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

/** Entries that were not accepted, and why the first was not. */
interface Refused {
  left: PutEventsRequestEntry[];
  detail?: string;
  cause?: unknown;
}

/** Puts all entries, and again those that were not accepted. */
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
      // The SDK has already retried.
      const left = [...refused.left, ...all.slice(n).flat()];
      return { detail: cause instanceof Error ? cause.message : String(cause), cause, left };
    }
  }
  return refused;
}

/** Answers the entries that are still not accepted after all tries. */
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

/** The bytes that EventBridge counts for an entry; a time counts 14. */
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
