import type { Failure } from "./failure.ts";
import type { Metadata } from "./metadata.ts";
import type { Operated } from "./traits.ts";

/** The states of an object that one saga creates and another deletes, as OSAC has them. */
export const lifecycleStates = ["PENDING", "READY", "FAILED", "DELETING", "DELETE_FAILED"] as const;
export type LifecycleState = (typeof lifecycleStates)[number];

export interface Living extends Operated {
  metadata: Pick<Metadata, "deletion_timestamp">;
  /** Whether its creation has succeeded. */
  made?: true;
}

/**
 * The state that follows from a record. A later change leaves the object READY, even if the change fails; the message
 * shows it.
 */
export function lifecycleOf(object: Living): LifecycleState {
  if (object.metadata.deletion_timestamp)
    return hasFailedDeletion(object) ? "DELETE_FAILED" : "DELETING";
  if (object.made) return "READY";
  return object.failure ? "FAILED" : "PENDING";
}

/** Whether the deletion of an object needs operator action: it is stuck, or its execution was aborted. */
export const hasFailedDeletion = ({ metadata, operation, stuck }: Omit<Living, "made">): boolean =>
  metadata.deletion_timestamp !== undefined && (operation === undefined || stuck !== undefined);

/** A failure in one line, for people. */
export const failureText = ({ step, message }: Failure): string =>
  step === "" ? message : `${step}: ${message}`;
