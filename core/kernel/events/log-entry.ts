import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Item, Json } from "../store/store.ts";
import { type Event, eventSchema } from "./events.ts";

/**
 * An event in the form of the log: deflated, because nothing reads an entry but by its position.
 * Otherwise the object would make an entry three times as large, and each entry is written in a
 * transaction.
 */
export const packedEvent = (event: Event): string =>
  deflateRawSync(JSON.stringify(event)).toString("base64");

/** The event of an entry of a log; undefined if the item is missing or has no event (any more). */
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
