import { deflateRawSync, inflateRawSync } from "node:zlib";
import { AppError } from "../../error.ts";
import type { Kinds } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";
import { itemLimit } from "../store/size.ts";
import type { Item, Json } from "../store/store.ts";
import { type Event, eventSchema, withIdAlone } from "./events.ts";

/** The kind whose dictionary compressed the event, and the number of the dictionary. */
export interface PackedEvent {
  event: string;
  /** The kind whose dictionary compressed the event, and the dictionary's number. */
  words?: string;
}

/**
 * Compresses an event, because the uncompressed object would make an entry three times as large. With the dictionary of
 * its kind, most events take less than 1 KB, the unit by which a write is charged. An event that is too large for an
 * entry keeps only the object's id; otherwise it would block later events for ever.
 */
export function packedEvent(kinds: Kinds, kind: Kind, event: Event): PackedEvent {
  const dictionaries = dictionariesOf(kinds, kind);
  const dictionary = dictionaries.at(-1);
  const deflated = (said: Event) =>
    deflateRawSync(JSON.stringify(said), { dictionary }).toString("base64");
  const whole = deflated(event);
  return {
    event: whole.length > mostBytes ? deflated(withIdAlone(event)) : whole,
    ...(dictionary && { words: `${kind}.${dictionaries.length}` }),
  };
}

/** The limit of an event in an entry, in bytes; the rest is for the entry's keys. */
const mostBytes = itemLimit - 8 * 1024;

/**
 * The event of a log's entry; undefined if the item is missing or no longer has an event. Throws Unavailable for a
 * dictionary of a later version of Slipway, so that no reader skips the event.
 */
export function eventIn(kinds: Kinds, item: Item | undefined): Event | undefined {
  return item && eventSchema.safeParse(unpacked(kinds, item)).data;
}

function unpacked(kinds: Kinds, { event, words }: Item): unknown {
  if (typeof event !== "string") return undefined;
  const dictionary = dictionaryOf(kinds, words);
  try {
    return JSON.parse(inflateRawSync(Buffer.from(event, "base64"), { dictionary }).toString());
  } catch {
    return undefined;
  }
}

function dictionaryOf(kinds: Kinds, words: Json | undefined): Uint8Array | undefined {
  if (words === undefined) return undefined;
  const [kind = "", number] = String(words).split(".");
  const dictionary = dictionariesOf(kinds, kind)[Number(number) - 1];
  if (!dictionary) throw new AppError("Unavailable", "the event is of a later version");
  return dictionary;
}

const dictionariesOf = (kinds: Kinds, kind: string): readonly Uint8Array[] =>
  Object.entries(kinds).find(([name]) => name === kind)?.[1].stored?.dictionaries ?? [];
