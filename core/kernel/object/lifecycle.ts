import type { Failure } from "./failure.ts";
import type { Metadata } from "./metadata.ts";
import type { Operated } from "./traits.ts";

/** The states of an object that one saga makes and another takes away, as OSAC has them. */
export const lifecycleStates = ["PENDING", "READY", "FAILED", "DELETING", "DELETE_FAILED"] as const;
export type LifecycleState = (typeof lifecycleStates)[number];

/** An object with such states. */
export interface Living extends Operated {
  metadata: Pick<Metadata, "deletion_timestamp">;
  /** Whether its creation has succeeded. */
  made?: true;
}

/**
 * The state that follows from a record. A later change that runs or has failed leaves it READY; its message
 * tells.
 */
export function lifecycleOf({ metadata, made, failure }: Living): LifecycleState {
  if (metadata.deletion_timestamp) return "DELETING";
  if (made) return "READY";
  return failure ? "FAILED" : "PENDING";
}

/** A failure in one line, for people. */
export const failureText = ({ step, message }: Failure): string =>
  step === "" ? message : `${step}: ${message}`;
