import type { Deps } from "../deps.ts";
import { definitionOf, type Kinds } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { change } from "../object/records.ts";
import type { Write } from "../store/store.ts";
import { withEvent } from "./outbox.ts";

/**
 * The only way to change an object: computes its status again, and puts its event into the same write.
 * An unchanged object keeps its event. `now` in milliseconds.
 */
export function rewritten<O extends ObjectOf[Kind]>(
  kinds: Kinds,
  before: O | undefined,
  after: O,
  now: number,
): O {
  const status = definitionOf(kinds, after.kind).status?.(after, now);
  return withEvent(kinds, before, status === undefined ? after : { ...after, status }, now);
}

/** `change` of records.ts, with status and event. */
export function changeObject<K extends Kind>(
  deps: Pick<Deps, "store" | "kinds" | "clock">,
  kind: K,
  id: string,
  edit: (object: ObjectOf[K]) => ObjectOf[K] | undefined | Promise<ObjectOf[K] | undefined>,
  known?: ObjectOf[K],
  beside?: () => Write[],
): Promise<ObjectOf[K]> {
  const changed = async (before: ObjectOf[K]) => {
    const after = await edit(before);
    return after && rewritten(deps.kinds, before, after, deps.clock.now());
  };
  return change(deps, kind, id, changed, known, beside);
}
