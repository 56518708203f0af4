import { frozen } from "../../frozen.ts";
import type { Condition } from "../../kernel/object/condition.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { Cluster, ClusterConditionType, ClusterStatus } from "./model.ts";
import { clusterStatus } from "./status.ts";

/**
 * The stored form of a cluster. The status follows from the other members, except the times of its conditions,
 * so only these times are stored: the rest would be a third of a record that each report rewrites.
 */

interface PackedStatus extends Pick<ClusterStatus, "state" | "state_transition_time"> {
  /** The status of each condition and since when. */
  since: Pick<Condition<ClusterConditionType>, "type" | "status" | "last_transition_time">[];
}

/** The stored form of an object. */
export function packed(object: ObjectOf[Kind]): object {
  if (object.kind !== "cluster") return object;
  const { state, state_transition_time, conditions } = object.status;
  const since = conditions.map(({ type, status, last_transition_time }) => ({
    type,
    status,
    last_transition_time,
  }));
  const status: PackedStatus = { state, state_transition_time, since };
  return { ...object, status };
}

/**
 * The object with its whole status, from its stored form. An object that was stored with its status is returned
 * unchanged.
 */
export function unpacked<O extends ObjectOf[Kind]>(stored: O): O {
  if (stored.kind !== "cluster" || !("since" in stored.status)) return stored;
  const known = statuses.get(stored);
  if (known) return { ...stored, status: known };
  const { state, state_transition_time, since } = stored.status as unknown as PackedStatus;
  const conditions = since.map((each) => ({ ...each, reason: "", message: "" }));
  const before: ClusterStatus = { state, state_transition_time, conditions, node_sets: {} };
  const cluster: Cluster = { ...stored, status: before };
  // A condition can change here only if a newer version of Slipway computes it differently.
  const status = clusterStatus(cluster, Date.parse(stored.event.time));
  // Only frozen objects can be recognized again: those of the store's cache (`core/frozen.ts`).
  if (Object.isFrozen(stored)) statuses.set(stored, frozen(status));
  return { ...stored, status };
}

/** The status of each object that the store shares among its readers. */
const statuses = new WeakMap<object, ClusterStatus>();
