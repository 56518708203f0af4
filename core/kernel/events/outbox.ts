import { timestamp } from "../../clock.ts";
import type { Cluster } from "../../resources/cluster/model.ts";
import type { Kind, Outbox } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { view, type Wire } from "../object/view.ts";
import type { Operation } from "../saga/operation.ts";
import { changesBetween } from "./changes.ts";
import { isTold } from "./throttle.ts";
import { eventType, type Turn } from "./types.ts";

/** The event of a new object. Of an id that was used before, the count goes on. */
export const createdEvent = (kind: Kind, time: string, sequence = 1): Outbox => ({
  type: eventType(kind, "created"),
  sequence,
  time,
  changed: [],
});

/**
 * The object with the event of this write in it: what changed of what its tenant sees, since it was
 * last told. When nothing did, or nothing that is told at once, the event stays, with what it keeps
 * back. `before` is undefined for a new object.
 */
export function withEvent<O extends ObjectOf[Kind]>(
  before: O | undefined,
  after: O,
  now: number,
): O {
  const time = timestamp(now);
  if (!before) return { ...after, event: createdEvent(after.kind, time) };
  const paths = changesBetween(seen(before), seen(after)).map(({ path }) => path);
  if (paths.length === 0) return { ...after, event: before.event };
  const changed = [...new Set([...(before.event.kept_back ?? []), ...paths])];
  const change = changeOf(before, after);
  if (change === "updated" && !isTold(before, after, paths, now))
    return { ...after, event: { ...before.event, kept_back: changed } };
  const type = eventType(after.kind, change);
  return { ...after, event: { type, sequence: before.event.sequence + 1, time, changed } };
}

/** The object with the event of its end, for the write that archives it. */
export function withLastEvent<O extends ObjectOf[Kind]>(object: O, now: number): O {
  const type = eventType(object.kind, "deleted");
  return {
    ...object,
    event: { type, sequence: object.event.sequence + 1, time: timestamp(now), changed: [] },
  };
}

function changeOf(before: ObjectOf[Kind], after: ObjectOf[Kind]): "updated" | "deleting" | Turn {
  if (!before.metadata.deletion_timestamp && after.metadata.deletion_timestamp) return "deleting";
  if (before.kind === "cluster" && after.kind === "cluster")
    return clusterTurn(before, after) ?? "updated";
  if (before.kind === "operation" && after.kind === "operation")
    return operationTurn(before, after) ?? "updated";
  return "updated";
}

function clusterTurn(before: Cluster, after: Cluster): Turn | undefined {
  const { state } = after.status;
  if (state === before.status.state) return undefined;
  if (state === "CLUSTER_STATE_READY") return "ready";
  return state === "CLUSTER_STATE_FAILED" ? "failed" : undefined;
}

function operationTurn(before: Operation, after: Operation): Turn | undefined {
  const [from, to] = [before.status.state, after.status.state];
  if (from === to) return undefined;
  switch (to) {
    case "RUNNING":
      return from === "PENDING" ? "started" : undefined;
    case "SUCCEEDED":
      return "succeeded";
    case "FAILED":
      return "failed";
    case "CANCELLED":
      return "cancelled";
    case "STUCK":
      return "stuck";
    case "PENDING":
      return undefined;
  }
}

const seen = (object: ObjectOf[Kind]): Wire => view(object, { profile: "slipway", private: false });
