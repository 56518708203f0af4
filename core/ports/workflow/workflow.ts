/**
 * The workflow port: what Slipway asks of Step Functions. Locally the same adapter speaks to our
 * own engine, which answers the same protocol.
 */

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

export interface Workflow {
  /** Starts a saga's state machine for an operation; the execution is named after it, so again is harmless. */
  start(saga: string, operation: string): Promise<void>;
  /** Undefined when there is no such execution. */
  describe(saga: string, operation: string): Promise<Execution | undefined>;
  /** Ends the task that waits under this token. `false` when nothing waits under it any more. */
  succeed(token: string): Promise<boolean>;
  /** Fails the task that waits under this token. `error` is an error kind, `cause` is for people. */
  fail(token: string, error: string, cause: string): Promise<boolean>;
}
