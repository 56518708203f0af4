import type { Deps } from "../../deps.ts";
import { clusterStatus } from "../../resources/cluster/status.ts";
import { withEvent } from "../events/outbox.ts";
import { operationStatus } from "../saga/status.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
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
  return withEvent(before, withStatus(after, now) as O, now);
}

function withStatus(object: ObjectOf[Kind], now: number): ObjectOf[Kind] {
  if (object.kind === "cluster") return { ...object, status: clusterStatus(object, now) };
  if (object.kind === "operation") return { ...object, status: operationStatus(object) };
  return object;
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
