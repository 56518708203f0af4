import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Item, Json } from "../store/store.ts";
import { type Event, eventSchema } from "./events.ts";

/**
 * An event as its log keeps it: nothing in it is asked for but by its place, so it is deflated. As it
 * is, the object in it would make an entry three times as large, and each is written in a transaction.
 */
export const packedEvent = (event: Event): string =>
  deflateRawSync(JSON.stringify(event)).toString("base64");

/** The event of an entry of a log; undefined for what is not there, or is none (any more). */
export function eventIn(item: Item | undefined): Event | undefined {
  return item && eventSchema.safeParse(unpacked(item.event)).data;
}

function unpacked(event: Json | undefined): unknown {
  if (typeof event !== "string") return event;
  try {
    return JSON.parse(inflateRawSync(Buffer.from(event, "base64")).toString());
  } catch {
    return undefined;
  }
}
