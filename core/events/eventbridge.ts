import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from "@aws-sdk/client-eventbridge";
import { type Clock, sleep } from "../clock.ts";
import { AppError } from "../error.ts";
import type { Bus, Event } from "./events.ts";

/** What one PutEvents call takes: entries, and bytes of them all together. */
const mostEntries = 10;
const mostBytes = 256 * 1024;
/** Tries of an event before its publishing is given up, and comes again with its stream record. */
const tries = 5;
const firstPause = 50;

export interface EventBridgeOptions {
  client: EventBridgeClient;
  /** Name or ARN of the bus. */
  bus: string;
  /** Times the pauses between tries. */
  wall: Clock;
  /** 0 ≤ n < 1: jitter of the pauses. */
  random: () => number;
}

/**
 * Integrators' bus. An event is the detail of an entry, its type the detail type, its source the
 * source. One whose object is too large for an entry carries the object's id alone: who needs more
 * reads it by its subject.
 */
export function eventBridge({ client, bus, wall, random }: EventBridgeOptions): Bus {
  /** Answers the entries that were not accepted. */
  async function put(entries: PutEventsRequestEntry[]): Promise<PutEventsRequestEntry[]> {
    const { FailedEntryCount, Entries = [] } = await asUnavailable(
      client.send(new PutEventsCommand({ Entries: entries })),
    );
    // The answer is positional.
    return FailedEntryCount ? entries.filter((_, n) => Entries[n]?.EventId === undefined) : [];
  }

  async function putAll(batch: PutEventsRequestEntry[]): Promise<void> {
    let left = batch;
    for (let tried = 1; ; tried++) {
      left = await put(left);
      if (left.length === 0) return;
      if (tried === tries) {
        const detail = left.map(({ DetailType }) => DetailType).join(", ");
        throw new AppError("Unavailable", "the bus does not take events", { detail });
      }
      await sleep(wall, random() * firstPause * 2 ** tried);
    }
  }

  return {
    async publish(events) {
      for (const batch of batches(events.map((event) => entryOf(event, bus)))) await putAll(batch);
    },
  };
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
  const { id = null } = event.data.object;
  return { ...entry, Detail: JSON.stringify({ ...event, data: { object: { id }, changed: [] } }) };
}

/** Bytes that EventBridge counts; a time counts 14. */
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

async function asUnavailable<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    // The SDK has retried what was worth it.
    throw new AppError("Unavailable", "the bus cannot be reached", { cause: error });
  }
}
