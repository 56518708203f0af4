import { deflateRawSync, inflateRawSync } from "node:zlib";
import { AppError } from "../../error.ts";
import type { Kinds } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";
import { itemLimit } from "../store/size.ts";
import type { Item, Json } from "../store/store.ts";
import { type Event, eventSchema, withIdAlone } from "./events.ts";

/** An event in the form of the log. */
export interface PackedEvent {
  event: string;
  /** The kind whose dictionary packed the event, and the dictionary's number. */
  words?: string;
}

/**
 * Deflates an event, because nothing reads an entry but by its position. Otherwise the object would make
 * an entry three times as large, and each entry is written in a transaction. By the dictionary of its
 * kind most events take less than the 1 KB that a write is charged by. An event that no entry holds has of its object
 * only the id: otherwise the events behind it would wait for it for good.
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

/** What of an entry an event may take: the rest is for its keys. */
const mostBytes = itemLimit - 8 * 1024;

/**
 * The event of an entry of a log; undefined if the item is missing or has no event (any more). Throws
 * Unavailable for a dictionary of a later version of Slipway, so that no reader passes over the event.
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
