import type { OperationId } from "../../id.ts";

/** Asks a worker that reaches the system to recheck a step that waits. */
export interface Rechecks {
  request(operation: OperationId, step: string): Promise<void>;
}

declare module "../deps.ts" {
  interface Deps {
    rechecks: Rechecks;
  }
}
