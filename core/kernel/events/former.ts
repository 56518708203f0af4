import { isObject } from "../input/shape.ts";
import { archiveKey, formerKey } from "../object/keys.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { objectIn, type Records } from "../object/records.ts";
import { absent, type Item, type Write } from "../store/store.ts";
import { eventsKept } from "./append.ts";

/** The last events of objects whose ids are used again. */

/**
 * The write that keeps an archived object when a new object gets its id: the archive holds one deletion of each
 * id, and the relay may not have published the first one yet.
 */
export function keepFormer(
  { kinds }: Pick<Records, "kinds">,
  archived: Item | undefined,
  now: number,
): Write[] {
  if (!archived) return [];
  const { kind, id, event } = objectIn(kinds, archived);
  const expires = Math.floor(now / 1000) + eventsKept;
  const put = { ...formerKey(kind, id, event.sequence), archived, expires };
  return [{ put, if: absent }];
}

/**
 * A deleted object with its last event, found by its state before the deletion; undefined if the archive no longer has
 * it.
 */
export const deletedOf = (
  records: Records,
  { kind, id, event }: ObjectOf[Kind],
): Promise<ObjectOf[Kind] | undefined> => deletedAt(records, kind, id, event.sequence + 1);

/** The previous object with a new object's id, with its last event; undefined if there is none. */
export const formerOf = async (
  records: Records,
  { kind, id, event }: ObjectOf[Kind],
): Promise<ObjectOf[Kind] | undefined> =>
  event.sequence === 1 ? undefined : deletedAt(records, kind, id, event.sequence - 1);

/** A deleted object whose last event is this one. */
async function deletedAt(
  { store, kinds }: Records,
  kind: Kind,
  id: string,
  sequence: number,
): Promise<ObjectOf[Kind] | undefined> {
  const archived = await store.get(archiveKey(kind, id));
  if (!archived) return undefined;
  const last = objectIn(kinds, archived);
  if (last.event.sequence === sequence) return last;
  const key = formerKey(kind, id, sequence);
  const former = (await store.get(key))?.archived;
  return isObject(former) ? objectIn(kinds, { ...former, ...key }) : undefined;
}
