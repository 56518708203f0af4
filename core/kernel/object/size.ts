import { AppError } from "../../error.ts";
import { itemLimit } from "../store/size.ts";
import { definitionOf, type Kinds } from "./kind.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import { usesOf } from "./uses.ts";

/** Limits of the size of objects. */

/** The largest object that is accepted, in bytes of JSON; the store and the event log hold 400 KB. */
const objectLimit = 256 * 1024;

/**
 * The limit of items that are deleted with an object in one transaction: one for each label, and two for each
 * reference (a use, and its item or a ticket). The rest of the transaction is for other writes.
 */
const entryLimit = 72;

/** The room in an item, in bytes, for the keys of the item and of its indexes. */
const keysBytes = 16 * 1024;

/** The room in an object, in bytes of JSON, for the members that reporters write. `core/bounds.ts` enforces it. */
const usualBytes = itemLimit - objectLimit - keysBytes;

/**
 * The size and the limit, in bytes, of the members that people write in an object. Reports do not count, so that they
 * cannot make a change by people fail.
 */
function sizeOf(kinds: Kinds, object: ObjectOf[Kind]) {
  const { reportedBytes = usualBytes } = definitionOf(kinds, object.kind).stored ?? {};
  const { deletion_timestamp: _, ...metadata } = object.metadata;
  const limit = Math.min(objectLimit, itemLimit - reportedBytes - keysBytes);
  return { size: Buffer.byteLength(JSON.stringify({ metadata, spec: object.spec })), limit };
}

function entriesOf(kinds: Kinds, object: ObjectOf[Kind]) {
  const labels = Object.keys(object.metadata.labels).length;
  const references = usesOf(kinds, object).length;
  return { labels, references, entries: labels + 2 * references };
}

/**
 * Throws Invalid for an object that is too large to be stored, or to be deleted later. An object that is older than a
 * limit may be changed if it does not grow: `before` is the object before the change. Only what people write is
 * checked, so a saga's change of the rest of the record never fails here.
 */
export function refuseTooLarge(
  kinds: Kinds,
  object: ObjectOf[Kind],
  before?: ObjectOf[Kind],
): void {
  if (before?.metadata === object.metadata && before.spec === object.spec) return;
  const { size, limit } = sizeOf(kinds, object);
  if (size > limit && !(before && size <= sizeOf(kinds, before).size))
    throw new AppError("Invalid", `the object has ${size} bytes; ${limit} is the limit`);
  const { labels, references, entries } = entriesOf(kinds, object);
  if (entries <= entryLimit || (before && entries <= entriesOf(kinds, before).entries)) return;
  const has = `has ${labels} labels and refers to ${references} others`;
  const most = `labels and twice the references may be ${entryLimit} together`;
  throw new AppError("Invalid", `the object ${has}; ${most}`);
}
