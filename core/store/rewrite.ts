import type { Deps } from "../deps.ts";
import { withEvent } from "../events/outbox.ts";
import type { Kind } from "../model/object.ts";
import type { ObjectOf } from "../model/object-of.ts";
import { clusterStatus } from "../status/cluster.ts";
import { change } from "./records.ts";

/**
 * The one way an object changes: its status is computed anew, and its event goes into the same
 * write. Nothing changed answers undefined.
 */
export function rewritten<O extends ObjectOf[Kind]>(
  before: O | undefined,
  after: O,
  now: number,
): O {
  const computed =
    after.kind === "cluster" ? { ...after, status: clusterStatus(after, now) } : after;
  return withEvent(before, computed as O, now);
}

/** As `change` in records.ts, with status and event. */
export function changeObject<K extends Kind>(
  deps: Pick<Deps, "store" | "clock">,
  kind: K,
  id: string,
  edit: (object: ObjectOf[K]) => ObjectOf[K] | undefined,
): Promise<ObjectOf[K]> {
  return change(deps.store, kind, id, (before) => {
    const after = edit(before);
    return after && rewritten(before, after, deps.clock.now());
  });
}
