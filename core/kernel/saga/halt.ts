import { AppError } from "../../error.ts";
import { asOperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import { mustLoad } from "../object/records.ts";
import { optimistically } from "../store/optimistically.ts";
import { endWrites } from "./end.ts";
import { withOpenFailed } from "./entry.ts";
import { isEnded } from "./operation.ts";
import { type Shapes, sagaOf } from "./settle.ts";
import type { Execution } from "./workflow.ts";

/** The error of an operation that its execution did not end; `execution` is undefined if there is none. */
export function endedUnseen(execution: Execution | undefined): AppError {
  const detail = execution ? `${execution.state} ${execution.cause ?? ""}`.trim() : "there is none";
  return new AppError("Internal", "it was cut off by a fault inside Slipway", { detail });
}

/**
 * Ends an operation whose execution has ended without it (aborted, timed out): the operation is
 * FAILED, with the failure that it had turned back on, if any. What it has claimed stays with its
 * target until that is changed, retried or deleted. An operation that has ended is left alone.
 * Throws NotFound if there is no such operation.
 */
export async function halt(deps: Deps, shapes: Shapes, id: string, error: AppError): Promise<void> {
  const cutOff = await optimistically(deps.store, async () => {
    const operation = await mustLoad(deps, "operation", asOperationId(id));
    if (isEnded(operation)) return { writes: [], result: false };
    const running = Object.entries(operation.steps).findLast(
      ([, entry]) => entry.state !== "PENDING",
    );
    const { kind, message } = error;
    const failure = operation.failure ?? { step: running?.[0] ?? "", kind, message };
    const closed = withOpenFailed(deps, operation, Object.keys(operation.steps), error);
    return {
      writes: await endWrites(deps, sagaOf(shapes, operation), operation, closed, failure),
      result: true,
    };
  });
  if (cutOff)
    deps.log.error({ operation: id, detail: error.detail }, "an execution ended before its saga");
}
