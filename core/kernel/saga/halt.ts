import { AppError } from "../../error.ts";
import { asOperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import type { Failure } from "../object/failure.ts";
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
 * Ends an operation whose execution has ended without it (aborted, timed out), or cannot go on at a `step`:
 * the operation is FAILED, with the failure that it had turned back on, if any. What it has claimed stays
 * with its target until that is changed, retried or deleted. An operation that has ended is left alone.
 * Throws NotFound if there is no such operation.
 */
export async function halt(
  deps: Deps,
  shapes: Shapes,
  id: string,
  error: AppError,
  step?: string,
): Promise<void> {
  const cutOff = await optimistically(deps.store, async () => {
    const operation = await mustLoad(deps, "operation", asOperationId(id));
    if (isEnded(operation)) return { writes: [], result: false };
    const running = Object.entries(operation.steps).findLast(
      ([, entry]) => entry.state !== "PENDING",
    );
    const { kind, message } = error;
    const failure = operation.failure
      ? withHalt(operation.failure, step, message)
      : { step: step ?? running?.[0] ?? "", kind, message, ...(step !== undefined && kept) };
    const closed = withOpenFailed(deps, operation, Object.keys(operation.steps), error);
    return {
      writes: await endWrites(deps, sagaOf(shapes, operation), operation, closed, failure),
      result: true,
    };
  });
  if (cutOff)
    deps.log.error({ operation: id, detail: error.detail }, "an execution ended before its saga");
}

/** The failure that an operation had turned back on, and why it did not come to the end of that. */
const withHalt = (failure: Failure, step: string | undefined, why: string): Failure =>
  step === undefined
    ? failure
    : { ...failure, message: `${failure.message}; at ${step}: ${why}`, ...kept };

/** What a step without code has, or should have taken back, is not known. */
const kept = { given_back: false } as const;
