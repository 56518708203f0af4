import { deflateRawSync, inflateRawSync } from "node:zlib";
import { AppError } from "../../error.ts";
import type { Kinds } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";
import type { Item, Json } from "../store/store.ts";
import { type Event, eventSchema } from "./events.ts";

/** An event in the form of the log. */
export interface PackedEvent {
  event: string;
  /** The kind whose dictionary packed the event, and the dictionary's number. */
  words?: string;
}

/**
 * Deflates an event, because nothing reads an entry but by its position. Otherwise the object would make
 * an entry three times as large, and each entry is written in a transaction. By the dictionary of its
 * kind most events take less than the 1 KB that a write is charged by.
 */
export function packedEvent(kinds: Kinds, kind: Kind, event: Event): PackedEvent {
  const dictionaries = dictionariesOf(kinds, kind);
  const dictionary = dictionaries.at(-1);
  const deflated = deflateRawSync(JSON.stringify(event), { dictionary }).toString("base64");
  return { event: deflated, ...(dictionary && { words: `${kind}.${dictionaries.length}` }) };
}

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
  Object.entries(kinds).find(([name]) => name === kind)?.[1].dictionaries ?? [];
