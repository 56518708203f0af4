import { minutes, timestamp } from "../../clock.ts";
import { shardOf } from "../object/key-parts.ts";
import {
  duePartition,
  dueShards,
  queuedPartition,
  stuckPartition,
  targetPartition,
} from "../object/keys.ts";
import type { Query } from "../store/store.ts";
import { isDone } from "./entry.ts";
import {
  dueAt,
  isEnded,
  type Operation,
  type OperationState,
  operationStates,
  type StepEntry,
} from "./operation.ts";

/**
 * The due index holds an operation under a minute that is not later than its due time. A move to another minute is two
 * writes, so an operation is moved rarely, and the sweep may find it too early.
 */

/**
 * The index entries of an operation: by its target; and until it has ended, by the minute from which the sweep finds
 * it, or in a partition that the sweep does not read.
 */
export function dueIndexes(operation: Operation, created: string): Record<string, string> {
  const ofTarget = { g3pk: targetPartition(operation.spec.target.id), g3sk: created };
  const from = placeOf(operation, operation.status.found_from);
  if (from !== undefined) {
    const g2pk = duePartition(shardOf(operation.id, dueShards));
    return { ...ofTarget, g2pk, g2sk: `${from}#${operation.id}` };
  }
  const { queued, status } = operation;
  if (queued && !isEnded(operation)) return { ...ofTarget, g2pk: queuedPartition, g2sk: created };
  return status.state === "STUCK" ? { ...ofTarget, g2pk: stuckPartition, g2sk: created } : ofTarget;
}

/** The shards of the index that the sweep reads. */
export const duePartitions = Array.from({ length: dueShards }, (_, shard) => duePartition(shard));

const inIndex = (pks: readonly string[]): Pick<Query, "pk" | "index">[] =>
  pks.map((pk) => ({ pk, index: "g2" }));

/** The partitions with all operations that have not ended. */
export const allUnfinished = inIndex([...duePartitions, queuedPartition, stuckPartition]);

/**
 * The partitions with all operations in this state, in the form of the API; undefined for states of ended operations.
 */
export function unfinishedPartitions(
  state: string,
): readonly Pick<Query, "pk" | "index">[] | undefined {
  const partitions: Partial<Record<OperationState, string[]>> = {
    PENDING: [...duePartitions, queuedPartition],
    RUNNING: duePartitions,
    STUCK: [stuckPartition],
  };
  const name = operationStates.find((each) => state === `OPERATION_STATE_${each}`);
  const pks = name && partitions[name];
  return pks && inIndex(pks);
}

/** An operation that the sweep would find within this time is moved at once. */
const soon = minutes(2);

/**
 * The minute from which the sweep finds an operation: the one that it had `before`, or its due minute if that is
 * sooner; undefined for an operation that is never due. An operation that only waits, and that the sweep would soon
 * find too early, moves to its due minute at once. `now` in milliseconds.
 */
export function nextFound(
  operation: Operation,
  before: string | undefined,
  now: number,
): string | undefined {
  const from = placeOf(operation, before);
  const stays = from === undefined || isBusy(operation) || Date.parse(from) > now + soon;
  return stays ? from : dueMinute(operation);
}

/** The operation without its place in the index, so that it moves to the minute in which it is due. */
export function movedOn({ status, ...operation }: Operation): Operation {
  const { found_from: _, ...rest } = status;
  return { ...operation, status: rest };
}

/** The place of an operation in the due index: its former minute, or its due minute if that is sooner. */
function placeOf(operation: Operation, had: string | undefined): string | undefined {
  const due = dueMinute(operation);
  return due === undefined || had === undefined || had > due ? due : had;
}

function dueMinute(operation: Operation): string | undefined {
  const due = dueAt(operation);
  return due && timestamp(Math.floor(Date.parse(due) / minutes(1)) * minutes(1));
}

/** Whether another write of the operation follows soon: a step runs, or the next one is about to begin. */
const isBusy = (operation: Operation): boolean =>
  !isEnded(operation) && Object.values(operation.steps).some(isMoving);

const isMoving = (entry: StepEntry): boolean =>
  entry.token !== undefined && (isDone(entry) || (entry.state === "RUNNING" && !isKept(entry)));

/** Whether the step's task is kept, or will soon be called again, because the step's system was unreachable. */
const isKept = ({ retry_at, away_at }: StepEntry): boolean =>
  retry_at !== undefined && away_at !== undefined;
