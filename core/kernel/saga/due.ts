import {
  duePartition,
  dueShards,
  shardOf,
  stuckPartition,
  targetPartition,
} from "../object/keys.ts";
import { dueAt, type Operation } from "./operation.ts";

/** The index entries of an operation: by its target, and by the time at which it is due. */
export function dueIndexes(operation: Operation, created: string): Record<string, string> {
  const ofTarget = { g3pk: targetPartition(operation.spec.target.id), g3sk: created };
  const due = dueAt(operation);
  if (due) {
    const g2pk = duePartition(shardOf(operation.id, dueShards));
    return { ...ofTarget, g2pk, g2sk: `${due}#${operation.id}` };
  }
  return operation.status.state === "STUCK"
    ? { ...ofTarget, g2pk: stuckPartition, g2sk: created }
    : ofTarget;
}
