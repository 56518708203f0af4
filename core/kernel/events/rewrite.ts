import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../deps.ts";
import { definitionOf, type Kinds } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { mustLoad, putChanged } from "../object/records.ts";
import { refuseTooLarge } from "../object/size.ts";
import { optimistically } from "../store/optimistically.ts";
import type { Write } from "../store/store.ts";
import { withEvent } from "./outbox.ts";

/** The functions that change objects; there is no other way. */

/** The object as stored, except for its revision, and the writes that store it. */
export interface Written<O> {
  object: O;
  writes: Write[];
}

/**
 * Changes an object that was read as `before`, on condition that nobody has written it since. The writes
 * include all consequences: status, event, label entries and uses. An unchanged object keeps its event. Throws
 * Invalid for an object in which people have written too much.
 */
export function written<O extends ObjectOf[Kind]>(
  { kinds, clock }: Pick<Deps, "kinds" | "clock">,
  before: O,
  after: O,
): Written<O> {
  refuseTooLarge(kinds, after, before);
  const object = rewritten(kinds, before, after, clock.now());
  return { object, writes: putChanged(kinds, before, object) };
}

/** A new object with its status and its event, for `putNew`. `now` in milliseconds. */
export const asNew = <O extends ObjectOf[Kind]>(kinds: Kinds, object: O, now: number): O =>
  rewritten(kinds, undefined, object, now);

function rewritten<O extends ObjectOf[Kind]>(
  kinds: Kinds,
  before: O | undefined,
  after: O,
  now: number,
): O {
  const status = definitionOf(kinds, after.kind).status?.(after, now);
  return withEvent(kinds, before, status === undefined ? after : { ...after, status }, now);
}

/**
 * Changes one object in its own transaction. `edit` gets the present object and answers the new one, or
 * undefined for no change; it may be called several times. An unchanged object is not written. `known` is the
 * object as last read or written, which saves a read; if it is outdated, the write is refused and the object is
 * read. `beside` answers the writes that go with the last answer of `edit`. Answers the object as stored.
 * Throws NotFound, or the error of `edit`.
 */
export async function changeObject<K extends Kind>(
  deps: Pick<Deps, "store" | "kinds" | "clock">,
  kind: K,
  id: string,
  edit: (object: ObjectOf[K]) => ObjectOf[K] | undefined | Promise<ObjectOf[K] | undefined>,
  known?: ObjectOf[K],
  beside: () => Write[] = () => [],
): Promise<ObjectOf[K]> {
  let first = known;
  return optimistically(deps.store, async () => {
    const before = first ?? (await mustLoad(deps, kind, id));
    first = undefined;
    const after = await edit(before);
    if (!after) return { writes: [], result: before };
    const { object, writes } = written<ObjectOf[K]>(deps, before, after);
    if (isDeepStrictEqual(object, before)) return { writes: [], result: before };
    const result = { ...object, revision: object.revision + 1 };
    return { writes: [...writes, ...beside()], result };
  });
}
