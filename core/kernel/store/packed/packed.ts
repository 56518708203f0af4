import { deflateRawSync, inflateRawSync } from "node:zlib";
import { AppError } from "../../../error.ts";
import { sizeOfItem, type Value } from "../size.ts";
import type { Item, Json, Key } from "../store.ts";
import { dictionaries } from "./dictionaries.ts";

/**
 * DynamoDB charges a write by each KB of its item. So in an item of more than one KB, the content of all maps and lists
 * is compressed together, into one attribute of bytes. Values that a condition or an index can name stay unchanged:
 * texts, numbers and the like at the top of the item. Each map and list is replaced by an empty value of bytes. Like
 * the map or list it exists and equals nothing, and an update can replace or remove it.
 */

/** An item in the form of the table. */
export type PackedItem = Key & { [attribute: string]: Value };

/** The unit in bytes by which writes are charged; a smaller item costs no less. */
const unit = 1024;

/** The attribute of the packed content: its name ends with the number of the dictionary. */
const name = /^packed(\d+)$/;

/** Whether the name of an attribute is one that packed items use. */
export const isReserved = (attribute: string): boolean => name.test(attribute);

export function packed(item: Item): PackedItem {
  const size = sizeOfItem(item);
  if (size <= unit) return item;
  const entries = Object.entries(item);
  const inside = Object.fromEntries(entries.filter(([, value]) => isNested(value)));
  const dictionary = dictionaryFor(item, dictionaries.length);
  const bytes = deflateRawSync(JSON.stringify(inside), { dictionary });
  const kept = entries.map(([name, value]) => [name, isNested(value) ? stub : value]);
  const result = { ...Object.fromEntries(kept), [`packed${dictionaries.length}`]: bytes };
  return sizeOfItem(result) < size ? result : item;
}

/** Unpacks a stored item. Throws Unavailable for an item that a later version has packed. */
export function unpacked(stored: PackedItem): Item {
  const attribute = Object.keys(stored).find(isReserved);
  // Only packed items have bytes, so the cast is safe.
  if (attribute === undefined) return stored as Item;
  const { [attribute]: bytes, ...kept } = stored;
  const dictionary = dictionaryFor(stored, Number(name.exec(attribute)?.[1]));
  const inside = new Map(
    Object.entries<Json>(
      JSON.parse(inflateRawSync(bytes as Uint8Array, { dictionary }).toString()),
    ),
  );
  const entries = Object.entries(kept).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? inside.get(name) : value,
  ]);
  return Object.fromEntries(entries);
}

/** How many bytes an item has in the table. Throws Internal for a value that cannot be stored. */
export const storedSize = (item: Item): number => sizeOfItem(packed(item));

/** A dictionary, followed by the item's key, because an item also contains its own id. */
function dictionaryFor({ pk }: Key, number: number): Uint8Array {
  const dictionary = dictionaries[number - 1];
  if (!dictionary) throw new AppError("Unavailable", "an item was packed by a later version");
  return Buffer.concat([dictionary, Buffer.from(pk)]);
}

const stub = new Uint8Array();

const isNested = (value: Json): boolean => typeof value === "object" && value !== null;
