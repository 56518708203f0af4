import type { Condition, ConditionStatus } from "../../kernel/object/condition.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { Progress, SiteRecord } from "../site/at-site.ts";
import { donePart } from "../site/parts.ts";
import type { Cluster, ClusterConditionType, ClusterStatus } from "./model.ts";
import { clusterStatus } from "./status.ts";

/**
 * A cluster's status follows from its other members, except the times of its conditions. So only these
 * are stored: the rest would be a third of a record that every report writes again. Conditions, and parts
 * at the site that are done, are stored as text: `TRUE 2026-01-01T00:05:01.000Z`.
 */

interface PackedStatus extends Pick<ClusterStatus, "state" | "state_transition_time"> {
  /** The status of each condition and since when, by the end of the condition's type. */
  since: Record<string, string>;
}

const prefix = "CLUSTER_CONDITION_TYPE_";
const statusPrefix = "CONDITION_STATUS_";

/** The members that are stored of an object. */
export function packed(object: ObjectOf[Kind]): object {
  if (object.kind !== "cluster") return object;
  const { state, state_transition_time, conditions } = object.status;
  const since = conditions.map(({ type, status, last_transition_time }) => [
    type.slice(prefix.length),
    `${status.slice(statusPrefix.length)} ${last_transition_time}`,
  ]);
  const status: PackedStatus = { state, state_transition_time, since: Object.fromEntries(since) };
  const { site } = object;
  return { ...object, status, ...(site && { site: { ...site, parts: partsAsText(site.parts) } }) };
}

const done = "done ";

const partsAsText = (parts: Parts): Record<string, Progress | string> =>
  Object.fromEntries(
    Object.entries(parts).map(([part, progress]) => {
      const isDone = progress.state === "done" && progress.message === "";
      return [part, isDone ? `${done}${progress.at}` : progress];
    }),
  );

type Parts = SiteRecord["parts"];

function partsIn(stored: Record<string, Progress | string>): Parts {
  const parts = Object.entries(stored).map(([part, progress]) => [
    part,
    typeof progress === "string" ? { ...donePart, at: progress.slice(done.length) } : progress,
  ]);
  return Object.fromEntries(parts);
}

/** The stored object with its whole status; an object that was stored whole stays unchanged. */
export function unpacked<O extends ObjectOf[Kind]>(stored: O): O {
  if (stored.kind !== "cluster" || !("since" in stored.status)) return stored;
  const { state, state_transition_time, since } = stored.status as unknown as PackedStatus;
  const conditions = Object.entries(since).map(
    ([type, text]): Condition<ClusterConditionType> => ({
      type: `${prefix}${type}` as ClusterConditionType,
      status: `${statusPrefix}${text.split(" ", 1)[0]}` as ConditionStatus,
      reason: "",
      message: "",
      last_transition_time: text.slice(text.indexOf(" ") + 1),
    }),
  );
  const before: ClusterStatus = { state, state_transition_time, conditions, node_sets: {} };
  const site = stored.site && { ...stored.site, parts: partsIn(stored.site.parts) };
  const cluster: Cluster = { ...stored, ...(site && { site }), status: before };
  // A condition turns here only if a newer version of Slipway computes it differently.
  return {
    ...stored,
    ...(site && { site }),
    status: clusterStatus(cluster, Date.parse(stored.event.time)),
  };
}
