/**
 * The workflow port: Slipway's calls of Step Functions. In local mode the same adapter speaks to
 * our own engine, which has the same protocol.
 */

import type { OperationPlan } from "./plan.ts";

export type ExecutionState =
  | "RUNNING"
  | "SUCCEEDED"
  | "FAILED"
  | "TIMED_OUT"
  | "ABORTED"
  | "PENDING_REDRIVE";

export interface Execution {
  state: ExecutionState;
  error?: string;
  cause?: string;
}

/** Answers waiting tasks. */
export type TaskAnswers = Pick<Workflow, "succeed" | "fail">;

export interface Workflow {
  /**
   * Starts a saga's state machine for an operation. Idempotent, as the execution is named after the
   * operation.
   */
  start(saga: string, operation: string): Promise<void>;
  /** Undefined when there is no such execution. */
  describe(saga: string, operation: string): Promise<Execution | undefined>;
  /** The plan of the definition that an operation's execution began with; undefined when there is none. */
  plan(saga: string, operation: string): Promise<OperationPlan | undefined>;
  /** Ends the task that waits with this token. `false` when no task does any more. */
  succeed(token: string): Promise<boolean>;
  /**
   * Fails the task that waits with this token. `error` is a kind of error, `cause` is for people.
   */
  fail(token: string, error: string, cause: string): Promise<boolean>;
}
