import type { OperationId } from "../../id.ts";

/** Requests rechecks of waiting steps from workers that reach the system. */
export interface Rechecks {
  request(operation: OperationId, step: string): Promise<void>;
}

declare module "../deps.ts" {
  interface Deps {
    rechecks: Rechecks;
  }
}
